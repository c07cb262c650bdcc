package io.holdfast.bench.persist;

import com.sun.management.OperatingSystemMXBean;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.config.ConfigurationFile;
import io.holdfast.config.HoldfastSettings;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.server.Agreement;
import io.holdfast.server.DataDirectory;
import io.holdfast.server.PlainLogging;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One node without its outer rooms as a process: its member of the log, sessions, shards and
 * journal are those of a real one; in place of locks it runs writers. It takes commands as {@link
 * io.holdfast.bench.raft.MemberHandle} sends them.
 *
 * <p>Arguments: data directory, own address, all addresses.
 */
final class NodeProcess {

  private final Config config;
  private final HoldfastSettings settings;
  private final Agreement agreement;
  private @Nullable OwnShards own;
  private @Nullable Account account;

  private NodeProcess(String[] arguments) throws Exception {
    int colon = arguments[1].lastIndexOf(':');
    config =
        ConfigFactory.parseMap(
                Map.of(
                    "holdfast.data-dir", arguments[0],
                    "holdfast.raft.host", arguments[1].substring(0, colon),
                    "holdfast.raft.port", arguments[1].substring(colon + 1),
                    "holdfast.raft.members", List.of(arguments[2].split(",", -1)),
                    "holdfast.session.ttl", "30s")) // a stall is measured, and costs no shard
            .withFallback(ConfigurationFile.load(Optional.empty()));
    settings = HoldfastSettings.from(config);
    SecureRandom random = new SecureRandom();
    DataDirectory data = DataDirectory.open(Path.of(arguments[0]), random::nextLong);
    agreement =
        Agreement.start(settings, data, random::nextLong, code -> Runtime.getRuntime().halt(1));
    var unused =
        agreement
            .coordination()
            .session()
            .open(
                new CoordinationCommand.OpenSession(
                    new NodeId(data.member().value()),
                    data.start(),
                    "akka://persist@" + arguments[1],
                    /* akkaUid= */ data.start(),
                    Set.of(NodeRole.VOTER, NodeRole.SHARD_HOST),
                    Math.toIntExact(settings.session().ttl().toMillis()),
                    ShardTerms.of(settings.locks().shards())));
  }

  public static void main(String[] arguments) throws Exception {
    PlainLogging.use(); // as a node does
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    NodeProcess process = new NodeProcess(arguments);
    out.println("* ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      out.println(words[0] + " " + process.answer(words));
    }
    Runtime.getRuntime().halt(0); // whoever started it is gone
  }

  private String answer(String[] words) {
    try {
      return switch (words[1]) {
        case "leads" -> Boolean.toString(agreement.log().leadership().leads());
        case "acts" -> Boolean.toString(agreement.coordination().session().mayAct());
        case "cpu" -> Long.toString(cpuNanos());
        case "open" -> open(number(words[2]), number(words[3]));
        case "warm" -> warm(number(words[2]), number(words[3]), number(words[4]));
        case "write" -> write(number(words[2]), number(words[3]), number(words[4]));
        case "recount" -> opened().recount();
        case "account" -> begin();
        case "accounted" -> accounted(Long.parseLong(words[2]), words[3]);
        default -> "unknown command [" + words[1] + "]";
      };
    } catch (RuntimeException | IOException e) {
      return "failed: " + e;
    }
  }

  private String open(int writers, int bytes) {
    own = OwnShards.open(config, agreement, settings.locks().shards(), writers, bytes);
    return "open";
  }

  private OwnShards opened() {
    if (own == null) {
      throw new IllegalStateException("no shards are open");
    }
    return own;
  }

  private String warm(int among, int count, int persists) {
    Turns turns = opened().turns(among, count);
    turns.begin();
    for (long left = persists; left > 0; left -= turns.micros().getTotalCount()) {
      pause(50);
    }
    OwnShards.await(turns.end());
    return "warm";
  }

  private static void pause(int ms) {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String write(int among, int count, int ms) {
    Turns turns = opened().turns(among, count);
    long start = System.nanoTime();
    turns.begin();
    pause(ms);
    Histogram micros = turns.micros();
    double seconds = (System.nanoTime() - start) / 1e9;
    OwnShards.await(turns.end());
    return String.format(
        Locale.ROOT,
        "persists=%d rate=%.0f p50=%.3f p99=%.3f max=%.3f",
        micros.getTotalCount() + turns.micros().getTotalCount(), // with the last of each turn
        micros.getTotalCount() / seconds,
        micros.getValueAtPercentile(50) / 1e3,
        micros.getValueAtPercentile(99) / 1e3,
        micros.getMaxValue() / 1e3);
  }

  private String begin() throws IOException {
    account = Account.begin();
    return "begun";
  }

  private String accounted(long persists, String recording) throws IOException {
    Account begun = account;
    if (begun == null) {
      throw new IllegalStateException("no account was begun");
    }
    account = null;
    return String.join("|", begun.end(persists, Path.of(recording)));
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static int number(String word) {
    return Integer.parseInt(word);
  }
}
