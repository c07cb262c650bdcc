package io.holdfast.raft.node;

import static io.holdfast.fixtures.Eventually.eventually;

import io.holdfast.fixtures.FreePorts;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.link.LinkIdentity;
import io.holdfast.raft.link.LinkSettings;
import io.holdfast.raft.log.Disk;
import io.holdfast.raft.log.FileDisk;
import io.holdfast.raft.log.LogSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Members of one group in this JVM, over real links and real files. */
final class TestGroup implements AutoCloseable {

  static final Duration WITHIN = Duration.ofSeconds(20);

  /** One place in the group, and who is in it now. */
  static final class Place {
    final String address;
    final Path directory;
    MemberId id;
    int starts;
    Words words = new Words();
    @Nullable RaftNode node;

    Place(String address, Path directory, MemberId id) {
      this.address = address;
      this.directory = directory;
      this.id = id;
    }

    RaftNode node() {
      if (node == null) {
        throw new IllegalStateException(address + " is not running");
      }
      return node;
    }
  }

  private final Path root;
  private final List<Place> places = new ArrayList<>();
  private final NodeSettings settings;
  private final SplittableRandom random = new SplittableRandom();
  private UnaryOperator<Disk> disks = disk -> disk;
  private final int initial;
  private long lastId;

  TestGroup(Path root, int size, long snapshotAfterBytes) {
    this.root = root;
    initial = size;
    NodeSettings usual = NodeSettings.DEFAULT;
    settings =
        new NodeSettings(
            usual.core().withMaxProposalBytes(32 << 10),
            new LogSettings(64 << 10, 16 << 10, 64 << 10),
            usual.maxQueuedRequests(),
            snapshotAfterBytes,
            10,
            usual.toleratedSyncMs());
    addPlaces(size);
  }

  /** One more place, which no plan names. */
  Place addPlace() {
    addPlaces(1);
    return places.get(places.size() - 1);
  }

  private void addPlaces(int count) {
    for (int i = 0; i < count; i++) {
      places.add(
          new Place("127.0.0.1:" + FreePorts.take(), root.resolve("m" + places.size()), newId()));
    }
  }

  /** A group of three that has a leader. */
  static TestGroup formed(Path root, long snapshotAfterBytes) {
    TestGroup group = new TestGroup(root, 3, snapshotAfterBytes);
    group.places.forEach(group::start);
    group.leader();
    return group;
  }

  /** Puts something between the members that start from now on and their files. */
  void disks(UnaryOperator<Disk> changed) {
    disks = changed;
  }

  List<Place> places() {
    return places;
  }

  Place place(int index) {
    return places.get(index);
  }

  void start(Place place) {
    LinkIdentity self = new LinkIdentity(place.id, ++place.starts, 0, place.address);
    FoundingPlan plan =
        new FoundingPlan(
            places.stream()
                .limit(initial)
                .map(each -> FoundingPlan.PlannedMember.voter(each.address))
                .toList(),
            48,
            0);
    int port = Integer.parseInt(place.address.substring(place.address.lastIndexOf(':') + 1));
    place.words = new Words();
    try {
      place.node =
          RaftNode.start(
              settings,
              self,
              plan,
              disks.apply(new FileDisk(Files.createDirectories(place.directory))),
              /* mayBeNew= */ self.incarnation() == 1,
              place.words,
              RaftNode.overTcp(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                  self,
                  LinkSettings.USUAL,
                  null,
                  random::nextLong),
              random::nextLong);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void stop(Place place) {
    RaftNode node = place.node();
    node.close();
    eventually(
        "stopped", WITHIN, () -> node.stopped().toCompletableFuture().isDone(), done -> done);
    place.node = null;
  }

  /** The directory is gone, and another takes its place. */
  void loseDirectory(Place place) throws IOException {
    try (var files = Files.list(place.directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    place.id = newId();
    place.starts = 0;
  }

  Place leader() {
    return eventually(
            "a leader",
            WITHIN,
            () ->
                places.stream()
                    .filter(place -> place.node != null && place.node().leadership().leads())
                    .findFirst(),
            found -> found.isPresent())
        .orElseThrow();
  }

  Place follower() {
    Place leader = leader();
    return places.stream()
        .filter(place -> place != leader && place.node != null)
        .findFirst()
        .orElseThrow();
  }

  /** Proposes until it is applied; for words that may come twice. */
  void put(Place at, String word) {
    eventually(
        "[" + word + "] applied",
        WITHIN,
        () -> get(at.node().propose(word.getBytes(StandardCharsets.UTF_8))),
        ProposalOutcome::isApplied);
  }

  static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  /** Everyone who runs has applied exactly these. */
  void assertAllHave(List<String> words) {
    for (Place place : places) {
      if (place.node != null) {
        eventually("words at " + place.id, WITHIN, place.words::all, words::equals);
      }
    }
  }

  static List<Member> withKind(List<Member> members, MemberId id, Member.Kind kind) {
    return members.stream().map(row -> row.id().equals(id) ? row.as(kind) : row).toList();
  }

  private MemberId newId() {
    return new MemberId(++lastId * 1000 + random.nextInt(1000));
  }

  @Override
  public void close() {
    for (Place place : places) {
      if (place.node != null) {
        stop(place); // before the directory is removed
      }
    }
  }

  @Override
  public String toString() {
    return root.toString();
  }
}
