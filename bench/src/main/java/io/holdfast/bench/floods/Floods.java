package io.holdfast.bench.floods;

import io.holdfast.bench.raft.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code floods}: attacks on nodes, beside a client that must not notice. */
@Command(
    name = "floods",
    mixinStandardHelpOptions = true,
    description = {
      "Starts nodes of 512 MB as processes of their own on loopback, and attacks them through their"
          + " ports, all nodes at once, one attack after the other. Meanwhile a bystander holds a"
          + " lock on a session of 3 s, and locks and unlocks another. Nodes that did not bear an"
          + " attack are replaced before the next.",
      "Fails if a node ended or does not serve, the bystander lost its lock, or descriptors,"
          + " threads and heap are not as before within 30 s."
    })
public final class Floods extends Scenario {

  private static final int MAX_SECONDS = 600;
  private static final int MAX_RUNS = 100;
  private static final int MAX_ATTACKERS = 100;

  @Option(names = "--nodes", paramLabel = "N", description = "How many nodes. Default: 1.")
  private int nodes = 1;

  @Option(
      names = "--attacks",
      split = ",",
      paramLabel = "NAME",
      description = "Only these, and the controls. Default: all.")
  private List<String> names = List.of();

  @Option(names = "--runs", paramLabel = "N", description = "How often. Default: 1.")
  private int runs = 1;

  @Option(names = "--seconds", paramLabel = "N", description = "How long each. Default: 15.")
  private int seconds = 15;

  @Option(
      names = "--attackers",
      paramLabel = "N",
      description = "How many attack each node at once, each from an address. Default: 1.")
  private int attackers = 1;

  @Option(
      names = "--same-address",
      description = "Attackers come from the address of the bystander, not each from its own.")
  private boolean sameAddress;

  @Option(
      names = "--logs",
      paramLabel = "PATH",
      description =
          "Where the logs of nodes that did not bear an attack are kept. Default: nowhere.")
  @Nullable Path logs;

  @Option(names = "--list", description = "Only name the attacks.")
  private boolean list;

  private final List<Outcome> outcomes = new ArrayList<>();

  /** All attacks. The control comes before those it is to be compared with. */
  static List<Attack> all() {
    return Stream.of(
            List.of(Attack.plain(Attack.CONTROL, "nothing", Siege::rest)),
            FrameFloods.all(),
            ResetFloods.all(),
            CallFloods.all(),
            UnreadFloods.all(),
            ConnectionFloods.all(),
            MemberFloods.all(),
            List.of(Attack.secured("tls-" + Attack.CONTROL, "nothing, with TLS", Siege::rest)),
            TlsFloods.all())
        .flatMap(List::stream)
        .toList();
  }

  @Override
  protected boolean run(Path root, PrintWriter out) throws IOException {
    within("nodes", nodes, 9);
    within("runs", runs, MAX_RUNS);
    within("seconds", seconds, MAX_SECONDS);
    within("attackers", attackers, MAX_ATTACKERS);
    if (list) {
      all().forEach(attack -> out.printf("%-24s %s%n", attack.name(), attack.what()));
      return true;
    }
    List<Attack> chosen = chosen();
    out.println(Outcome.HEADER);
    attack(root, chosen.stream().filter(attack -> !attack.secured()).toList(), out);
    attack(root, chosen.stream().filter(Attack::secured).toList(), out);
    summary(out);
    return outcomes.stream().allMatch(Outcome::holds);
  }

  private void within(String name, int value, int max) {
    if (value < 1 || value > max) {
      throw new ParameterException(
          spec.commandLine(), "--" + name + " [" + value + "] is not within [1] and [" + max + "]");
    }
  }

  private List<Attack> chosen() {
    List<String> known = all().stream().map(Attack::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new ParameterException(
            spec.commandLine(), "--attacks [" + name + "] is none of " + known);
      }
    }
    return chosen(names);
  }

  /** Those with a name, and the controls to compare them with; all, if none is named. */
  static List<Attack> chosen(List<String> names) {
    return all().stream()
        .filter(
            attack ->
                names.isEmpty()
                    || names.contains(attack.name())
                    || (attack.isControl() && names.stream().anyMatch(of(attack.secured()))))
        .toList();
  }

  private static Predicate<String> of(boolean secured) {
    return name ->
        all().stream().anyMatch(each -> each.name().equals(name) && each.secured() == secured);
  }

  private void attack(Path root, List<Attack> attacks, PrintWriter out) throws IOException {
    Ground ground = null;
    try {
      for (int i = 0; i < runs * attacks.size(); i++) {
        Attack attack = attacks.get(i % attacks.size());
        if (ground == null) {
          ground = Ground.start(root, nodes, attack.secured());
          if (sameAddress) {
            ground.bringTogether();
          }
        }
        Outcome outcome = Assault.run(ground, attack, attackers, seconds * 1_000L);
        outcomes.add(outcome);
        out.println(outcome.line());
        out.flush();
        if (!outcome.holds()) {
          if (logs != null) {
            ground.keepLogs(logs, attack.name() + "-" + outcomes.size());
          }
          ground.close();
          ground = null;
        }
      }
    } finally {
      if (ground != null) {
        ground.close();
      }
    }
  }

  private void summary(PrintWriter out) {
    Map<String, List<Outcome>> byAttack = new LinkedHashMap<>();
    outcomes.forEach(
        outcome ->
            byAttack.computeIfAbsent(outcome.attack(), first -> new ArrayList<>()).add(outcome));
    out.println();
    byAttack.forEach(
        (attack, all) ->
            out.printf(
                "%-24s held in %d of %d, lock kept in %d, longest pause %d ms%n",
                attack,
                all.stream().filter(Outcome::holds).count(),
                all.size(),
                all.stream().filter(outcome -> outcome.loss().isEmpty()).count(),
                all.stream().mapToLong(Outcome::pauseMs).max().orElse(0)));
  }
}
