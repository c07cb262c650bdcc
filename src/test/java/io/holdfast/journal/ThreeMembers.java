package io.holdfast.journal;

import io.holdfast.fixtures.Eventually;
import io.holdfast.fixtures.FreePorts;
import io.holdfast.id.Epoch;
import io.holdfast.journal.state.Bounds;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Role;
import io.holdfast.raft.core.Settings;
import io.holdfast.raft.link.LinkIdentity;
import io.holdfast.raft.link.LinkSettings;
import io.holdfast.raft.log.FileDisk;
import io.holdfast.raft.node.FoundingPlan;
import io.holdfast.raft.node.NodeSettings;
import io.holdfast.raft.node.RaftNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The journals of three members of one real group in this JVM, in a temporary directory; every
 * shard is at epoch 1.
 */
public final class ThreeMembers implements AutoCloseable {

  private static final Bounds SMALL = new Bounds(1_000, 1024, 16, 16, 16);

  private final Path root = directory();
  private final List<RaftNode> nodes = new ArrayList<>();
  private final List<RaftJournalStore> stores = new ArrayList<>();

  /** Members with small bounds. */
  ThreeMembers() {
    this(SMALL, Settings.LOCAL);
  }

  /** Founds the group. */
  public ThreeMembers(Bounds bounds, Settings core) {
    NodeSettings usual = NodeSettings.DEFAULT;
    NodeSettings settings =
        new NodeSettings(
            core,
            usual.log(),
            usual.maxQueuedRequests(),
            usual.snapshotAfterBytes(),
            usual.foundingEveryMs(),
            usual.toleratedSyncMs());
    SplittableRandom random = new SplittableRandom();
    List<Integer> ports = Stream.generate(FreePorts::take).limit(3).toList();
    FoundingPlan plan =
        new FoundingPlan(
            ports.stream()
                .map(port -> FoundingPlan.PlannedMember.voter("127.0.0.1:" + port))
                .toList(),
            48,
            0);
    for (int i = 0; i < ports.size(); i++) {
      int port = ports.get(i);
      LinkIdentity self = new LinkIdentity(new MemberId(i + 1), 1, 0, "127.0.0.1:" + port);
      JournalStateMachine machine =
          new JournalStateMachine(bounds, shard -> new Epoch(FencingAdapter.EPOCH), i + 1);
      try {
        RaftNode node =
            RaftNode.start(
                settings,
                self,
                plan,
                new FileDisk(Files.createDirectories(root.resolve("m" + i))),
                /* mayBeNew= */ true,
                machine,
                RaftNode.overTcp(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    self,
                    LinkSettings.USUAL,
                    null,
                    random::nextLong),
                random::nextLong);
        nodes.add(node);
        stores.add(
            new RaftJournalStore(
                node,
                machine,
                1024,
                RaftJournalStore.MANY,
                CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public JournalStore store(int member) {
    return stores.get(member);
  }

  /** The first member that follows another one, once there is a leader. */
  public int follower() {
    Predicate<RaftNode> follows =
        node -> node.leadership().role() == Role.FOLLOWER && node.leadership().leader() != null;
    return nodes.indexOf(
        Eventually.eventually(
                "a follower",
                Duration.ofSeconds(20),
                () -> nodes.stream().filter(follows).findFirst(),
                Optional::isPresent)
            .orElseThrow());
  }

  @Override
  public void close() {
    nodes.forEach(RaftNode::close);
    for (RaftNode node : nodes) {
      node.stopped().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }
    try (Stream<Path> files = Files.walk(root)) {
      List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : all) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path directory() {
    try {
      return Files.createTempDirectory("holdfast-journal");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
