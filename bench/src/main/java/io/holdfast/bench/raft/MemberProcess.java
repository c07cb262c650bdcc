package io.holdfast.bench.raft;

import com.sun.management.OperatingSystemMXBean;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.core.Role;
import io.holdfast.raft.node.RaftNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One member as a process, told what to do on standard input: a number and a command a line. It
 * answers with the number and one line; what happens meanwhile it tells in lines that begin with an
 * asterisk.
 *
 * <p>Arguments: data directory, own address, all addresses, bytes between snapshots, whether its
 * end loses what it has not synced.
 */
final class MemberProcess {

  private final PrintStream out;
  private final Ledger ledger = new Ledger(this::tell);
  private final RaftNode member;

  private MemberProcess(String[] arguments, PrintStream out) throws Exception {
    this.out = out;
    member =
        BenchMember.start(
            Path.of(arguments[0]),
            arguments[1],
            List.of(arguments[2].split(",", -1)),
            Long.parseLong(arguments[3]),
            Boolean.parseBoolean(arguments[4]),
            ledger);
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    MemberProcess process = new MemberProcess(arguments, out);
    out.println("* ready " + process.member.self());
    ExecutorService commands = Executors.newCachedThreadPool();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      commands.execute(() -> out.println(words[0] + " " + process.answer(words)));
    }
    Runtime.getRuntime().halt(0); // whoever started it is gone
  }

  private void tell(Leadership leadership) {
    if (leadership.role() == Role.LEADER) {
      out.println("* leads " + leadership.term() + " " + System.nanoTime());
    } else if (leadership.leader() != null) {
      out.println("* follows " + leadership.term() + " " + System.nanoTime());
    }
  }

  private String answer(String[] words) {
    try {
      return switch (words[1]) {
        case "status" -> status();
        case "cpu" -> Long.toString(cpuNanos());
        case "propose" -> propose(number(words[2]), millis(words[3]), number(words[4]));
        case "read" -> read(number(words[2]), millis(words[3]));
        case "record" -> record(Long.parseLong(words[2]), number(words[3]), millis(words[4]));
        case "barrier" -> barrier();
        case "check" -> check(Path.of(words[2]));
        case "hand-over" -> handOver();
        default -> "unknown command [" + words[1] + "]";
      };
    } catch (RuntimeException | IOException | InterruptedException e) {
      return "failed: " + e;
    } catch (java.util.concurrent.ExecutionException e) {
      return "failed: " + e.getCause();
    }
  }

  private String status() {
    Leadership leadership = member.leadership();
    @Nullable MemberId leader = leadership.leader();
    return leadership.role() + " " + leadership.term() + " " + leader + " " + ledger.count();
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private String propose(int inFlight, long nanos, int bytes) {
    byte[] payload = Load.payload(0, bytes);
    return new Load(inFlight)
        .run(nanos, () -> member.propose(payload), ProposalOutcome::isApplied)
        .line();
  }

  private String read(int inFlight, long nanos) {
    return new Load(inFlight).run(nanos, () -> member.readBarrier(), ReadOutcome::isSafe).line();
  }

  /** Proposes the numbers from {@code first} on and tells each one that was acknowledged. */
  private String record(long first, int inFlight, long nanos) {
    AtomicLong next = new AtomicLong(first);
    return new Load(inFlight)
        .<Long>run(
            nanos,
            () -> {
              long number = next.getAndIncrement();
              return member
                  .propose(Load.payload(number, 100))
                  .thenApply(
                      outcome -> {
                        if (outcome.isApplied()) {
                          out.println("* acked " + number);
                        } else if (!outcome.isUnknown()) {
                          out.println("* refused " + number);
                        }
                        return outcome.isApplied() ? number : -1;
                      });
            },
            number -> number >= 0)
        .line();
  }

  private String barrier() throws InterruptedException, java.util.concurrent.ExecutionException {
    ReadOutcome outcome = member.readBarrier().toCompletableFuture().get();
    return outcome.isSafe() ? "safe " + outcome.index() : "refused " + outcome.refusal();
  }

  /** Compares with a file: a number with a plus must be there once, one with a minus must not. */
  private String check(Path file) throws IOException {
    long[] sorted = ledger.sorted();
    Set<Long> present = new HashSet<>();
    long twice = Arrays.stream(sorted).filter(number -> !present.add(number)).count();
    long missing = 0;
    long unwanted = 0;
    for (String line : Files.readAllLines(file)) {
      boolean wanted = line.charAt(0) == '+';
      boolean there = present.contains(Long.parseLong(line.substring(1)));
      missing += wanted && !there ? 1 : 0;
      unwanted += !wanted && there ? 1 : 0;
    }
    return "missing=%d unwanted=%d twice=%d applied=%d"
        .formatted(missing, unwanted, twice, ledger.count());
  }

  private String handOver() throws InterruptedException, java.util.concurrent.ExecutionException {
    MemberId self = member.self();
    MemberId successor =
        member.members().stream()
            .map(row -> row.id())
            .filter(id -> !id.equals(self))
            .findFirst()
            .orElseThrow();
    return "refusal "
        + member
            .transferLeadership(successor)
            .toCompletableFuture()
            .get()
            .map(Enum::name)
            .orElse("-");
  }

  private static int number(String word) {
    return Integer.parseInt(word);
  }

  private static long millis(String word) {
    return TimeUnit.MILLISECONDS.toNanos(Long.parseLong(word));
  }
}
