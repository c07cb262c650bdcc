package io.holdfast.journal;

import io.holdfast.fixtures.FreePorts;
import io.holdfast.id.Epoch;
import io.holdfast.journal.state.Bounds;
import io.holdfast.raft.core.MemberId;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The journals of three members of one real group in this JVM, in a temporary directory; every
 * shard is at epoch 1.
 */
final class ThreeMembers implements AutoCloseable {

  private static final Bounds BOUNDS = new Bounds(1_000, 1024, 16, 16, 16);

  private final Path root = directory();
  private final List<RaftNode> nodes = new ArrayList<>();
  private final List<RaftJournalStore> stores = new ArrayList<>();

  ThreeMembers() {
    SplittableRandom random = new SplittableRandom();
    List<Integer> ports = Stream.generate(FreePorts::take).limit(3).toList();
    FoundingPlan plan =
        new FoundingPlan(
            ports.stream().map(port -> FoundingPlan.Seat.voter("127.0.0.1:" + port)).toList(),
            48,
            0);
    for (int i = 0; i < ports.size(); i++) {
      int port = ports.get(i);
      LinkIdentity self = new LinkIdentity(new MemberId(i + 1), 1, 0, "127.0.0.1:" + port);
      JournalStateMachine machine =
          new JournalStateMachine(BOUNDS, shard -> new Epoch(FencingAdapter.EPOCH), i + 1);
      try {
        RaftNode node =
            RaftNode.start(
                NodeSettings.DEFAULT,
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

  JournalStore store(int member) {
    return stores.get(member);
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
