package io.holdfast.cli;

import io.holdfast.v1.MemberRecord;
import io.holdfast.v1.StatusResponse;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;

/** {@code holdfast status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Asks the members at the given addresses how they are, and shows what is wrong.",
      "The exit code is 0 if nothing is, and 1 if something is."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast status",
      "  holdfast status --admin-endpoint 10.0.0.1:7405,10.0.0.2:7405 --output json"
    })
final class StatusSubcommand implements Callable<Integer> {

  @Mixin private final AdminConnection connection = new AdminConnection();
  @Mixin private final Output output = new Output();

  @Override
  public Integer call() {
    Map<String, StatusResponse> answers = Members.askAll(connection);
    Map<Long, StatusResponse> own = new LinkedHashMap<>();
    answers.values().forEach(answer -> own.put(answer.getHeader().getMemberId(), answer));
    StatusResponse told = answers.values().iterator().next();
    StatusResponse best = own.getOrDefault(told.getLeaderId(), told); // the leader knows most
    Set<String> problems = new LinkedHashSet<>(best.getProblemsList());
    if (!answers.containsKey("")) {
      connection.endpoints().stream()
          .filter(endpoint -> !answers.containsKey(endpoint))
          .forEach(endpoint -> problems.add("nobody answers at [" + endpoint + "]"));
    }
    own.forEach(
        (member, answer) -> {
          if (!answer.getServing()) {
            problems.add(MemberFields.name(member) + " takes no requests");
          }
        });
    output.show(fields(best, own, problems), ansi -> table(best, own, problems, ansi));
    return (problems.isEmpty() ? ExitCode.OK : ExitCode.UNWELL).number();
  }

  private static Fields fields(
      StatusResponse best, Map<Long, StatusResponse> own, Set<String> problems) {
    return Fields.of("clusterId", MemberFields.name(best.getHeader().getClusterId()))
        .and("revision", best.getHeader().getRevision())
        .and("term", best.getHeader().getRaftTerm())
        .and("leaderId", MemberFields.name(best.getLeaderId()))
        .and("shardCount", best.getShardCount())
        .and("ownedShardCount", best.getOwnedShardCount())
        .and("leaseCount", best.getLeaseCount())
        .and(
            "members",
            best.getMembersList().stream()
                .map(member -> fields(member, own.get(member.getMemberId())))
                .toList())
        .and("others", best.getOthersList().stream().map(MemberFields::session).toList())
        .and("problems", List.copyOf(problems));
  }

  private static Fields fields(MemberRecord member, @Nullable StatusResponse own) {
    Fields fields = MemberFields.member(member).and("answers", own != null);
    return own == null
        ? fields
        : fields
            .and("serving", own.getServing())
            .and("version", own.getVersion())
            .and("commitIndex", own.getCommitIndex())
            .and("appliedIndex", own.getAppliedIndex())
            .and("lastIndex", own.getLastIndex());
  }

  private static String table(
      StatusResponse best, Map<Long, StatusResponse> own, Set<String> problems, Ansi ansi) {
    StringBuilder text = new StringBuilder();
    text.append(
        "cluster %s  revision %d  term %d  shards %d, %d owned  leases %d%n"
            .formatted(
                MemberFields.name(best.getHeader().getClusterId()),
                best.getHeader().getRevision(),
                best.getHeader().getRaftTerm(),
                best.getShardCount(),
                best.getOwnedShardCount(),
                best.getLeaseCount()));
    Grid grid =
        new Grid(
            "MEMBER",
            "STANDING",
            "LEADER",
            "NODE",
            "CLIENTS",
            "COMMIT",
            "APPLIED",
            "SHARDS",
            "VERSION");
    for (MemberRecord member : best.getMembersList()) {
      StatusResponse answer = own.get(member.getMemberId());
      grid.row(
          MemberFields.name(member.getMemberId()),
          MemberFields.standing(member),
          member.getLeader() ? "yes" : "",
          answer == null ? MemberFields.node(member) : answer.getServing() ? "serves" : "stands",
          member.getSession().getEndpoint().isEmpty() ? "-" : member.getSession().getEndpoint(),
          answer == null ? "-" : answer.getCommitIndex(),
          answer == null ? "-" : answer.getAppliedIndex(),
          member.getSession().getShardCount(),
          answer == null ? "-" : answer.getVersion());
    }
    text.append(grid.text(ansi));
    best.getOthersList()
        .forEach(
            other ->
                text.append(
                    "%nno member: node %s, session %d, %s, %d shards"
                        .formatted(
                            MemberFields.name(other.getNodeId()),
                            other.getSessionId(),
                            other.getJoined() ? "there" : "joining",
                            other.getShardCount())));
    problems.forEach(problem -> text.append("%nproblem: %s".formatted(Shown.text(problem))));
    return text.toString();
  }
}
