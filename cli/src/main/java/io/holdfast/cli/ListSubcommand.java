package io.holdfast.cli;

import com.google.protobuf.ByteString;
import io.holdfast.client.HoldfastClient;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.LockServiceGrpc;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast list [PREFIX]}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the locks that are held, in the order of their keys.",
      "The revision of the first page is the one to watch from, plus one."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast list orders/", "  holdfast list --all --output json"})
final class ListSubcommand implements Callable<Integer> {

  @Mixin private final LockConnection connection = new LockConnection();
  @Mixin private final Output output = new Output();
  @Mixin private final PageOption pages = new PageOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--waiters",
      paramLabel = "N",
      defaultValue = "0",
      description = "Shows the first N who wait for each, up to 100. Default: ${DEFAULT-VALUE}.")
  private int waiters;

  @Parameters(
      paramLabel = "PREFIX",
      index = "0",
      arity = "0..1",
      defaultValue = "",
      description = "The beginning of their keys. Default: all keys.")
  private String prefix = "";

  @Override
  public Integer call() {
    try (HoldfastClient client = connection.open()) {
      pages.show((limit, from) -> page(client, limit, from), Notices.of(spec));
    }
    return ExitCode.OK.number();
  }

  private ByteString page(HoldfastClient client, int limit, ByteString from) {
    ListLocksResponse page =
        client
            .calls()
            .read(
                LockServiceGrpc.getListLocksMethod(),
                ListLocksRequest.newBuilder()
                    .setPrefix(prefix)
                    .setPageSize(limit)
                    .setPageToken(from)
                    .setWaiterLimit(waiters)
                    .build());
    output.show(
        Fields.of("revision", page.getHeader().getRevision())
            .and("locks", page.getEntriesList().stream().map(ListSubcommand::fields).toList())
            .andIf(
                !page.getNextPageToken().isEmpty(),
                "nextPage",
                PageOption.write(page.getNextPageToken())),
        ansi -> table(page, ansi));
    return page.getNextPageToken();
  }

  private static Fields fields(ListLocksResponse.Entry entry) {
    return LockFields.lock(
        entry.getLock().getKey(), entry.getLock(), entry.getWaitersList(), entry.getWaiterCount());
  }

  private static String table(ListLocksResponse page, Ansi ansi) {
    Grid grid = new Grid("KEY", "TOKEN", "WAITING", "CLIENT");
    page.getEntriesList()
        .forEach(
            entry ->
                grid.row(
                    entry.getLock().getKey(),
                    LockFields.tokens(entry.getLock()),
                    entry.getWaiterCount(),
                    LockFields.holders(entry.getLock())));
    return grid.text(ansi);
  }
}
