package io.holdfast.server;

import static io.holdfast.fixtures.Eventually.eventually;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.config.HoldfastSettings;
import io.holdfast.config.member.InvalidSettings;
import io.holdfast.fixtures.FreePorts;
import io.holdfast.raft.ConsensusLog.SnapshotSource;
import io.holdfast.raft.ConsensusLog.StateMachine;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.ProposalOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The members of several nodes in this JVM, each with its settings and its data directory. */
final class MembersUnderTest implements AutoCloseable {

  /** An entry that no machine here can apply. */
  static final String POISON = "poison";

  private static final Duration WITHIN = Duration.ofSeconds(20);

  /** One node, as far as its member goes. */
  static final class Place {
    private final Path directory;
    private final int port;
    private final List<NodeExitCode> failures = new CopyOnWriteArrayList<>();
    private Words words = new Words();
    private @Nullable DataDirectory data;
    private @Nullable RaftMember member;

    Place(Path directory, int port) {
      this.directory = directory;
      this.port = port;
    }

    Path directory() {
      return directory;
    }

    Path log() {
      return directory.resolve("raft");
    }

    int port() {
      return port;
    }

    List<NodeExitCode> failures() {
      return failures;
    }

    Words words() {
      return words;
    }

    MemberId member() {
      return data().member();
    }

    DataDirectory data() {
      if (data == null) {
        throw new IllegalStateException("it was never started");
      }
      return data;
    }

    RaftMember running() {
      if (member == null) {
        throw new IllegalStateException("it does not run");
      }
      return member;
    }
  }

  private final SplittableRandom random = new SplittableRandom();
  private final List<Place> places = new ArrayList<>();
  private String settings = "";
  private Consumer<Place> betweenSteps = place -> {};

  MembersUnderTest(Path root, int count) {
    for (int i = 0; i < count; i++) {
      places.add(new Place(root.resolve("node" + i), FreePorts.take()));
    }
  }

  /** More settings, for those that are started from now on. */
  void settings(String more) {
    settings = more;
  }

  /** Something to happen after the data directory was opened and before the member starts. */
  void betweenSteps(Consumer<Place> happening) {
    betweenSteps = happening;
  }

  List<Place> places() {
    return places;
  }

  Place place(int index) {
    return places.get(index);
  }

  /** All addresses as a setting, each with its mark. */
  String list(String... marks) {
    return IntStream.range(0, places.size())
        .mapToObj(i -> "127.0.0.1:" + places.get(i).port + (marks.length == 0 ? "" : marks[i]))
        .collect(Collectors.joining(","));
  }

  void startAll() throws StartFailure {
    for (Place place : places) {
      start(place);
    }
  }

  void start(Place place) throws StartFailure {
    Config config =
        ConfigFactory.parseString(settings)
            .withFallback(
                ConfigFactory.parseString(
                    "holdfast { data-dir = \"%s\", raft.port = %d, raft.members = \"%s\" }"
                        .formatted(place.directory, place.port, list())))
            .withFallback(ConfigFactory.defaultReference());
    DataDirectory data = DataDirectory.open(place.directory, random::nextLong);
    place.data = data;
    place.words = new Words();
    betweenSteps.accept(place);
    try {
      place.member =
          RaftMember.start(
              HoldfastSettings.from(config),
              data,
              place.words,
              random::nextLong,
              place.failures::add);
    } catch (InvalidSettings e) {
      throw new AssertionError(e);
    } finally {
      if (place.member == null) {
        data.close();
      }
    }
  }

  Optional<StartFailure> tryStart(Place place) {
    try {
      start(place);
      return Optional.empty();
    } catch (StartFailure e) {
      return Optional.of(e);
    }
  }

  void stopAll() {
    places.forEach(this::stop);
  }

  void stop(Place place) {
    RaftMember member = place.member;
    if (member == null) {
      return;
    }
    member.close();
    eventually(
        "stopped", WITHIN, () -> member.stopped().toCompletableFuture().isDone(), done -> done);
    place.member = null;
    place.data().close();
  }

  ProposalOutcome propose(int at, String word) {
    return get(places.get(at).running().log().propose(word.getBytes(StandardCharsets.UTF_8)));
  }

  /** Proposes until it is applied. */
  void put(int at, String word) {
    eventually(word, WITHIN, () -> propose(at, word), ProposalOutcome::isApplied);
  }

  void assertAllHave(List<String> words) {
    for (Place place : places) {
      eventually("words at " + place.port, WITHIN, place.words::all, words::equals);
    }
  }

  static void deleteFiles(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public void close() {
    stopAll();
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  /** Remembers every entry as a word, each once. */
  static final class Words implements StateMachine {

    private final List<String> words = new ArrayList<>();

    @Override
    public synchronized void apply(long index, long term, byte[] payload) {
      String word = new String(payload, StandardCharsets.UTF_8);
      if (word.equals(POISON)) {
        throw new IllegalStateException("nobody can apply this");
      }
      if (!words.contains(word)) {
        words.add(word);
      }
    }

    synchronized List<String> all() {
      return List.copyOf(words);
    }

    @Override
    public SnapshotSource snapshot() {
      return new SnapshotSource() {
        @Override
        public void writeTo(OutputStream out) throws IOException {
          out.write(1); // nobody reads it
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void restore(long index, InputStream bytes) {
      throw new IllegalStateException("no member is so far behind");
    }
  }
}
