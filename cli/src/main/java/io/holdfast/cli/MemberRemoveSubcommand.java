package io.holdfast.cli;

import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.MemberRemoveRequest;
import io.holdfast.v1.MemberRemoveResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast member remove MEMBER}. */
@Command(
    name = "remove",
    mixinStandardHelpOptions = true,
    description = {
      "Takes a member out, for ever. Stop its node first: its locks move at once then.",
      "Refused if of the voters that remain no majority is alive."
    },
    footerHeading = "%nExample:%n",
    footer = "  holdfast member remove 28ce0cfd174aa440")
final class MemberRemoveSubcommand implements Callable<Integer> {

  @Mixin private final AdminConnection connection = new AdminConnection();
  @Mixin private final Output output = new Output();

  @Parameters(
      paramLabel = "MEMBER",
      index = "0",
      converter = MemberFields.IdText.class,
      description = "Its id, as `member list` shows it.")
  private long member;

  @Override
  public Integer call() {
    MemberRemoveResponse removed =
        Members.change(
            connection,
            AdminServiceGrpc.getMemberRemoveMethod(),
            MemberRemoveRequest.newBuilder().setMemberId(member).build());
    String id = MemberFields.name(member);
    output.show(
        Fields.of("memberId", id)
            .and("members", removed.getMembersList().stream().map(MemberFields::member).toList()),
        id + " is no member any more; its data directory is of no more use");
    return ExitCode.OK.number();
  }
}
