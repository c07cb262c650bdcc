package io.holdfast.cli;

import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.TransferLeadershipRequest;
import io.holdfast.v1.TransferLeadershipResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast member transfer [MEMBER]}. */
@Command(
    name = "transfer",
    mixinStandardHelpOptions = true,
    description = {
      "Has another voter lead the log.",
      "The cluster moves the lead by itself too: away from the node that coordinates the shards."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast member transfer", "  holdfast member transfer 28ce0cfd174aa440"})
final class MemberTransferSubcommand implements Callable<Integer> {

  @Mixin private final AdminConnection connection = new AdminConnection();
  @Mixin private final Output output = new Output();

  @Parameters(
      paramLabel = "MEMBER",
      index = "0",
      arity = "0..1",
      converter = MemberFields.IdText.class,
      defaultValue = "0",
      description = "Who is to lead. Default: any other voter that is there.")
  private long member;

  @Override
  public Integer call() {
    TransferLeadershipResponse moved =
        Members.change(
            connection,
            AdminServiceGrpc.getTransferLeadershipMethod(),
            TransferLeadershipRequest.newBuilder().setMemberId(member).build());
    String id = MemberFields.name(moved.getMemberId());
    output.show(
        Fields.of("memberId", id).and("changed", moved.getChanged()),
        id + (moved.getChanged() ? " takes the lead" : " led already"));
    return ExitCode.OK.number();
  }
}
