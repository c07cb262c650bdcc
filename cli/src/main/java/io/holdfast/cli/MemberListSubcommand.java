package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.MemberListRequest;
import io.holdfast.v1.MemberListResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast member list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists the members, and where their nodes are.",
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast member list", "  holdfast member list --stale --output json"})
final class MemberListSubcommand implements Callable<Integer> {

  @Mixin private final AdminConnection connection = new AdminConnection();
  @Mixin private final Output output = new Output();

  @Option(
      names = "--stale",
      description = "What the asked node knows, which may be old; also without a majority.")
  private boolean stale;

  @Override
  public Integer call() {
    try (HoldfastClient client = connection.open()) {
      MemberListResponse list =
          client
              .calls()
              .read(
                  AdminServiceGrpc.getMemberListMethod(),
                  MemberListRequest.newBuilder().setSerializable(stale).build());
      output.show(
          Fields.of("clusterId", MemberFields.name(list.getHeader().getClusterId()))
              .and("members", list.getMembersList().stream().map(MemberFields::member).toList()),
          ansi -> MemberFields.table(list.getMembersList(), ansi));
    }
    return ExitCode.OK.number();
  }
}
