package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.LockServiceGrpc;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast get KEY}. */
@Command(
    name = "get",
    mixinStandardHelpOptions = true,
    description = "Shows who holds a lock and how many wait for it.",
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast get orders/42", "  holdfast get orders/42 --waiters 10 --output json"})
final class GetSubcommand implements Callable<Integer> {

  @Mixin private final LockConnection connection = new LockConnection();
  @Mixin private final Output output = new Output();

  @Option(
      names = "--waiters",
      paramLabel = "N",
      defaultValue = "0",
      description = "Shows the first N who wait, up to 1000. Default: ${DEFAULT-VALUE}.")
  private int waiters;

  @Parameters(paramLabel = "KEY", index = "0", description = "The lock.")
  private String key = "";

  @Override
  public Integer call() {
    try (HoldfastClient client = connection.open()) {
      GetLockResponse lock =
          client
              .calls()
              .read(
                  LockServiceGrpc.getGetLockMethod(),
                  GetLockRequest.newBuilder()
                      .setKey(key)
                      .setRemainingTtl(true)
                      .setWaiterLimit(waiters)
                      .build());
      output.show(
          LockFields.lock(key, lock.getLock(), lock.getWaitersList(), lock.getWaiterCount()),
          ansi -> table(lock, ansi));
    }
    return ExitCode.OK.number();
  }

  private String table(GetLockResponse found, Ansi ansi) {
    boolean isFree = found.getLock().getHoldersCount() == 0;
    String text =
        "%s  %s  waiting: %d"
            .formatted(Shown.text(key), isFree ? "free" : "held", found.getWaiterCount());
    if (!isFree) {
      Grid holders = new Grid("TOKEN", "TTL", "LEFT", "CLIENT", "HOLDER");
      found
          .getLock()
          .getHoldersList()
          .forEach(
              each ->
                  holders.row(
                      each.getFencingToken(),
                      each.getGrantedTtlMs() + " ms",
                      LockFields.left(each),
                      each.getClientId(),
                      each.getHolderId()));
      text += "\n" + holders.text(ansi);
    }
    if (found.getWaitersCount() > 0) {
      Grid queue = new Grid("PLACE", "CLIENT", "HOLDER");
      found
          .getWaitersList()
          .forEach(each -> queue.row(each.getPosition(), each.getClientId(), each.getHolderId()));
      text += "\n" + queue.text(ansi);
    }
    return text;
  }
}
