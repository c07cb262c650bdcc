package io.holdfast.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The rooms, the arrows between them, and what stays out of which room. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchitectureTest {

  /** The other rooms that each room may see. A room that is missing here has no right to exist. */
  private static final Map<String, Set<String>> ARROWS =
      Map.ofEntries(
          Map.entry("bytes", Set.of()),
          Map.entry("id", Set.of()),
          Map.entry("lock", Set.of("id")),
          Map.entry("lease", Set.of("id", "lock")),
          Map.entry("raft", Set.of("bytes")),
          Map.entry("config", Set.of()),
          Map.entry("coordination", Set.of("bytes", "id", "lock", "raft")),
          Map.entry("journal", Set.of("bytes", "id", "wire", "lock", "lease", "raft")),
          Map.entry("wire", Set.of("id", "lock", "lease")),
          Map.entry("sharding", Set.of("id", "wire", "lock", "lease", "coordination")),
          Map.entry(
              "keeper",
              Set.of(
                  "bytes", "id", "wire", "sharding", "lock", "lease", "journal", "coordination")),
          Map.entry(
              "entity",
              Set.of(
                  "bytes",
                  "id",
                  "wire",
                  "keeper",
                  "lock",
                  "lease",
                  "journal",
                  "coordination",
                  "config")),
          Map.entry(
              "hosting",
              Set.of(
                  "bytes",
                  "id",
                  "wire",
                  "sharding",
                  "keeper",
                  "entity",
                  "lock",
                  "lease",
                  "journal",
                  "coordination",
                  "config")),
          Map.entry(
              "grpc",
              Set.of(
                  "bytes",
                  "id",
                  "wire",
                  "sharding",
                  "hosting",
                  "watch",
                  "journal",
                  "lock",
                  "lease",
                  "coordination",
                  "config")),
          Map.entry("watch", Set.of("bytes", "id", "journal", "config")),
          Map.entry("service", Set.of("wire", "sharding", "lock", "coordination", "config")),
          Map.entry(
              "server",
              Set.of(
                  "bytes",
                  "id",
                  "grpc",
                  "wire",
                  "sharding",
                  "hosting",
                  "watch",
                  "journal",
                  "lock",
                  "lease",
                  "raft",
                  "coordination",
                  "config")));

  /** Rooms that are functions of their arguments. */
  private static final String[] PURE = {
    "io.holdfast.bytes..",
    "io.holdfast.id..",
    "io.holdfast.lock..",
    "io.holdfast.lease..",
    "io.holdfast.raft.core..",
    "io.holdfast.coordination.state..",
    "io.holdfast.coordination.node..",
    "io.holdfast.journal.state.."
  };

  /** The rooms whose values a pure room may use besides its own. */
  private static final Map<String, String[]> PURE_VALUES =
      Map.of(
          "io.holdfast.lock..", new String[] {"io.holdfast.id"},
          "io.holdfast.lease..", new String[] {"io.holdfast.id", "io.holdfast.lock"},
          "io.holdfast.raft.core..", new String[] {"io.holdfast.bytes"},
          "io.holdfast.coordination.state..", new String[] {"io.holdfast.bytes", "io.holdfast.id"},
          "io.holdfast.coordination.node..",
              new String[] {"io.holdfast.coordination.state", "io.holdfast.id"},
          "io.holdfast.journal.state..", new String[] {"io.holdfast.bytes", "io.holdfast.id"});

  private static final String[] NOTHING = {};

  /** The parts of the JDK that a function of its arguments may need. */
  private static final String[] JDK_VALUES = {
    "java.lang..",
    "java.util",
    "java.util.function",
    "java.util.stream",
    "java.nio",
    "java.nio.charset",
    "org.jspecify.annotations"
  };

  /** Rooms where Akka may be seen. */
  private static final String[] AKKA = {
    "io.holdfast.wire..",
    "io.holdfast.keeper..",
    "io.holdfast.entity..",
    "io.holdfast.sharding..",
    "io.holdfast.hosting..",
    "io.holdfast.journal",
    "io.holdfast.coordination.akka",
    "io.holdfast.coordination.following",
    "io.holdfast.coordination.hosting",
    "io.holdfast.grpc..",
    "io.holdfast.service..",
    "io.holdfast.server.."
  };

  /** The folders of what is compiled into a jar of its own, that of the node first. */
  private static final List<Path> ARTIFACTS =
      Stream.of("", "akka", "client", "client/shedlock", "client/spring", "cli")
          .map(Path::of)
          .toList();

  private static final String[] GENERATED = {"io.holdfast.v1..", "io.holdfast.internal.."};

  private final JavaClasses main =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
          .withImportOption(location -> !location.contains("/protos-"))
          .withImportOption(location -> !location.contains("/holdfast/client/"))
          .importPackages("io.holdfast")
          .that(not(resideInAnyPackage(GENERATED)));

  @Test
  void every_room_is_on_the_map() {
    Set<String> rooms =
        main.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith("io.holdfast."))
            .map(name -> name.split("\\.")[2])
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(new TreeSet<>(ARROWS.keySet()), rooms);
  }

  @Test
  void rooms_see_only_where_their_arrows_point() {
    ARROWS.forEach(
        (room, seen) -> {
          String[] hidden =
              ARROWS.keySet().stream()
                  .filter(other -> !other.equals(room) && !seen.contains(other))
                  .map(other -> "io.holdfast." + other + "..")
                  .toArray(String[]::new);
          if (hidden.length > 0) {
            noClasses()
                .that()
                .resideInAPackage("io.holdfast." + room + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(hidden)
                .check(main);
          }
        });
  }

  @Test
  void no_rooms_are_in_a_circle() {
    slices().matching("io.holdfast.(*)..").should().beFreeOfCycles().check(main);
    slices().matching("io.holdfast.coordination.(*)").should().beFreeOfCycles().check(main);
    slices().matching("io.holdfast.grpc.(*)").should().beFreeOfCycles().check(main);
  }

  @Test
  void pure_rooms_see_only_values_of_the_jdk() {
    for (String room : PURE) {
      classes()
          .that()
          .resideInAPackage(room)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(JDK_VALUES)
                  .or(resideInAPackage(room))
                  .or(resideInAnyPackage(PURE_VALUES.getOrDefault(room, NOTHING)))
                  .or(named("java.time.Duration")))
          .check(main);
    }
  }

  @Test
  void pure_rooms_have_no_clock_no_chance_and_no_threads() {
    noClasses()
        .that()
        .resideInAnyPackage(PURE)
        .should()
        .dependOnClassesThat(
            named("java.lang.Thread", "java.util.Random", "java.util.SplittableRandom")
                .or(named("java.util.UUID", "java.time.Clock", "java.time.Instant"))
                .or(resideInAnyPackage("java.util.concurrent..", "org.slf4j..")))
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Math.class, "random")
        .check(main);
  }

  @Test
  void akka_stays_in_its_rooms() {
    noClasses()
        .that()
        .resideOutsideOfPackages(AKKA)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("akka..", "scala..")
        .check(main);
  }

  @Test
  void wire_classes_stay_at_the_edge() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.holdfast.grpc..")
        .should()
        .dependOnClassesThat(resideInAPackage("io.holdfast.v1.."))
        .check(main);
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.holdfast.wire..",
            "io.holdfast.entity..",
            "io.holdfast.journal",
            "io.holdfast.coordination.member",
            "io.holdfast.coordination.following")
        .should()
        .dependOnClassesThat(resideInAPackage("io.holdfast.internal.."))
        .check(main);
  }

  @Test
  void the_wall_clock_is_read_only_in_server_and_for_sessions() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.holdfast.server..")
        .and(not(named("io.holdfast.coordination.member.SystemClocks")))
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .dependOnClassesThat(named("java.time.Instant", "java.time.Clock", "java.util.Date"))
        .check(main);
  }

  @Test
  void nothing_sleeps_and_only_start_and_stop_wait() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(main);
    noClasses()
        .that()
        .resideOutsideOfPackage("io.holdfast.server..")
        .should()
        .callMethod(java.util.concurrent.CompletableFuture.class, "join")
        .orShould()
        .callMethod(java.util.concurrent.CompletableFuture.class, "get")
        .orShould()
        .callMethod(Object.class, "wait")
        .check(main);
  }

  @Test
  void every_package_says_what_it_is_and_marks_null() throws ClassNotFoundException {
    Set<String> packages = main.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
    assertTrue(packages.size() > ARROWS.size() - 1, packages::toString);
    for (String name : packages) {
      Class<?> info = Class.forName(name + ".package-info");
      assertTrue(info.isAnnotationPresent(NullMarked.class), name);
    }
  }

  @Test
  void no_package_is_in_two_artifacts() throws IOException {
    Map<String, List<Path>> places = new TreeMap<>();
    for (Path artifact : ARTIFACTS) {
      Path sources = artifact.resolve(Path.of("src", "main", "java"));
      try (Stream<Path> tree = Files.walk(sources)) {
        tree.filter(file -> file.toString().endsWith(".java"))
            .map(file -> sources.relativize(file.resolveSibling("")).toString())
            .distinct()
            .forEach(
                name -> places.computeIfAbsent(name, first -> new ArrayList<>()).add(artifact));
      }
    }
    assertTrue(places.size() > ARROWS.size(), places::toString);
    places.values().removeIf(each -> each.size() == 1);
    assertEquals(Map.of(), places);
  }

  @Test
  void names_say_what_a_thing_is() {
    List<String> empty =
        List.of("util", "common", "helper", "manager", "impl", "base", "dto", "misc");
    List<String> found =
        main.stream()
            .flatMap(
                c ->
                    Stream.concat(
                        Stream.of(c.getPackageName().split("\\.")), Stream.of(c.getSimpleName())))
            .filter(
                name -> empty.stream().anyMatch(name.toLowerCase(java.util.Locale.ROOT)::endsWith))
            .distinct()
            .toList();
    assertEquals(List.of(), found);
  }

  private static DescribedPredicate<JavaClass> named(String... names) {
    Set<String> all = Set.of(names);
    return DescribedPredicate.describe(
        "one of " + all, (JavaClass javaClass) -> all.contains(javaClass.getName()));
  }
}
