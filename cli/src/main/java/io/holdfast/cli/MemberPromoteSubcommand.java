package io.holdfast.cli;

import io.holdfast.client.RequestRefused;
import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.MemberPromoteRequest;
import io.holdfast.v1.MemberPromoteResponse;
import io.holdfast.v1.Reason;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast member promote MEMBER}. */
@Command(
    name = "promote",
    mixinStandardHelpOptions = true,
    description = "Gives a learner a vote, once it has caught up.",
    footerHeading = "%nExample:%n",
    footer = "  holdfast member promote 28ce0cfd174aa440 --wait 10m")
final class MemberPromoteSubcommand implements Callable<Integer> {

  private static final long PAUSE_MS = 500;

  @Mixin private final AdminConnection connection = new AdminConnection();
  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      defaultValue = "30s",
      converter = DurationText.class,
      description = "How long it may take to catch up. Default: ${DEFAULT-VALUE}.")
  private Duration patience = Duration.ZERO;

  @Parameters(
      paramLabel = "MEMBER",
      index = "0",
      converter = MemberFields.IdText.class,
      description = "Its id, as `member list` shows it.")
  private long member;

  @Override
  public Integer call() throws InterruptedException {
    MemberPromoteResponse promoted = promote();
    String id = MemberFields.name(member);
    output.show(
        Fields.of("memberId", id)
            .and("changed", promoted.getChanged())
            .and("members", promoted.getMembersList().stream().map(MemberFields::member).toList()),
        id + (promoted.getChanged() ? " votes from now on" : " had a vote"));
    return ExitCode.OK.number();
  }

  private MemberPromoteResponse promote() throws InterruptedException {
    Notices notices = Notices.of(spec);
    long until = System.nanoTime() + patience.toNanos();
    try {
      while (true) {
        try {
          return Members.change(
              connection,
              AdminServiceGrpc.getMemberPromoteMethod(),
              MemberPromoteRequest.newBuilder().setMemberId(member).build());
        } catch (RequestRefused e) {
          if (e.reason() != Reason.REASON_NOT_CAUGHT_UP || System.nanoTime() - until >= 0) {
            throw e;
          }
          notices.progress("waits for [" + MemberFields.name(member) + "] to catch up");
          TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
      }
    } finally {
      notices.endProgress();
    }
  }
}
