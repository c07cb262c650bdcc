package io.holdfast.cli;

import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.MemberAddRequest;
import io.holdfast.v1.MemberAddResponse;
import io.holdfast.v1.MemberRecord;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast member add HOST:PORT}. */
@Command(
    name = "add",
    mixinStandardHelpOptions = true,
    description = {
      "Adds a seat for a node that is to come, and tells how to start it.",
      "The first node with an empty data directory at that address takes the seat, under an id of"
          + " its own, and joins as a learner. `member promote` gives it a vote."
    },
    footerHeading = "%nExample:%n",
    footer = "  holdfast member add 10.0.0.4:7403")
final class MemberAddSubcommand implements Callable<Integer> {

  @Mixin private final AdminConnection connection = new AdminConnection();
  @Mixin private final Output output = new Output();

  @Parameters(
      paramLabel = "HOST:PORT",
      index = "0",
      description = "Where its log will listen: its holdfast.raft.host and .port.")
  private String address = "";

  @Override
  public Integer call() {
    MemberAddResponse added =
        Members.change(
            connection,
            AdminServiceGrpc.getMemberAddMethod(),
            MemberAddRequest.newBuilder().setLogAddress(address).build());
    String members =
        added.getMembersList().stream()
            .map(MemberRecord::getLogAddress)
            .distinct()
            .collect(Collectors.joining(","));
    String id = MemberFields.name(added.getMemberId());
    output.show(
        Fields.of("memberId", id)
            .and("changed", added.getChanged())
            .and("raftMembers", members)
            .and("members", added.getMembersList().stream().map(MemberFields::member).toList()),
        (added.getChanged() ? "a seat for %s was added: %s" : "%s has a seat or a learner: %s")
                .formatted(Shown.text(address), id)
            + "\nStart its node with an empty data directory and\n  HOLDFAST_RAFT_MEMBERS="
            + members);
    return ExitCode.OK.number();
  }
}
