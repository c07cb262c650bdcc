package io.holdfast.coordination;

import static io.holdfast.fixtures.Eventually.eventually;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.fixtures.FreePorts;
import io.holdfast.raft.SharedLog;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Nodes of one cluster in this JVM, each with its member of a real log; no actor system. */
final class CoordinatedNodes implements AutoCloseable {

  static final Duration WITHIN = Duration.ofSeconds(20);
  static final int SHARDS = 8;

  /** One place in the cluster, and the process that is in it now. */
  static final class Place {
    final String address;
    final Path directory;
    final MemberId id;
    long starts;
    @Nullable Running running;

    Place(String address, Path directory, MemberId id) {
      this.address = address;
      this.directory = directory;
      this.id = id;
    }

    Running running() {
      if (running == null) {
        throw new IllegalStateException(address + " is not running");
      }
      return running;
    }

    NodeCoordination node() {
      return running().node;
    }
  }

  /** One process. */
  record Running(RaftNode raft, NodeCoordination node, ScheduledExecutorService thread) {}

  private final List<Place> places = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom();
  private final SessionTimes times;

  CoordinatedNodes(Path root, int size, SessionTimes times) throws IOException {
    this.times = times;
    for (int i = 0; i < size; i++) {
      String address = "127.0.0.1:" + FreePorts.take();
      places.add(
          new Place(address, Files.createDirectories(root.resolve("n" + i)), new MemberId(i + 1L)));
    }
  }

  List<Place> places() {
    return places;
  }

  void startAll() {
    places.forEach(this::start);
    places.forEach(
        place ->
            eventually("may act", WITHIN, () -> place.node().session().mayAct(), acts -> acts));
  }

  void start(Place place) {
    start(place, SHARDS);
  }

  /** Starts it as if it were told of so many shards. */
  void start(Place place, int shards) {
    place.starts++;
    int port = Integer.parseInt(place.address.substring(place.address.lastIndexOf(':') + 1));
    LinkIdentity self = new LinkIdentity(place.id, place.starts, 0, place.address);
    CoordinationMachine machine = new CoordinationMachine(random.nextLong());
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, "coordination-" + place.id);
              made.setDaemon(true);
              return made;
            });
    NodeCoordination node = new NodeCoordination(machine, times, new RealClocks(), thread);
    List<FoundingPlan.PlannedMember> planned =
        places.stream().map(each -> FoundingPlan.PlannedMember.voter(each.address)).toList();
    try {
      RaftNode raft =
          RaftNode.start(
              NodeSettings.DEFAULT,
              self,
              new FoundingPlan(planned, SHARDS, 0),
              new FileDisk(place.directory),
              place.starts == 1,
              new SharedLog(List.of(new SharedLog.Part(CoordinationMachine.CODE, machine))),
              RaftNode.overTcp(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                  self,
                  LinkSettings.USUAL,
                  null,
                  random::nextLong),
              random::nextLong);
      node.begin(raft);
      place.running = new Running(raft, node, thread);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var unused =
        node.session()
            .open(
                new CoordinationCommand.OpenSession(
                    new NodeId(place.id.value()),
                    place.starts,
                    "akka://holdfast@" + place.address,
                    place.starts,
                    Set.of(NodeRole.VOTER, NodeRole.SHARD_HOST),
                    times.ttlMs(),
                    ShardTerms.of(shards)));
  }

  /** The process ends from one moment to the next. */
  void kill(Place place) {
    Running running = place.running();
    running.thread.shutdownNow();
    running.raft.close();
    get(running.raft.stopped());
    place.running = null;
  }

  Place leader() {
    return eventually(
            "a leader",
            WITHIN,
            () ->
                places.stream()
                    .filter(place -> place.running != null)
                    .filter(place -> place.running().raft.leadership().leads())
                    .findFirst(),
            java.util.Optional::isPresent)
        .orElseThrow();
  }

  Place follower() {
    Place leader = leader();
    return places.stream()
        .filter(place -> place != leader && place.running != null)
        .findFirst()
        .orElseThrow();
  }

  static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    places.stream().filter(place -> place.running != null).toList().forEach(this::kill);
  }
}
