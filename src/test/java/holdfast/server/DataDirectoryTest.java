package holdfast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import holdfast.coordination.NodeIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node keeps: its ids stay, its starts count up, and only one process has it. */
class DataDirectoryTest {

  @TempDir Path folder;
  private final SplittableRandom random = new SplittableRandom(1);

  @Test
  void ids_stay_and_starts_count_up() throws StartFailure {
    NodeIdentity identity;
    try (DataDirectory first = open()) {
      identity = first.identity();
      assertEquals(1, first.start());
    }
    try (DataDirectory second = open()) {
      assertEquals(identity, second.identity());
      assertEquals(2, second.start());
    }
  }

  @Test
  void an_id_is_never_0() throws StartFailure {
    try (DataDirectory data = DataDirectory.open(folder.resolve("data"), () -> 0)) {
      assertEquals(new NodeIdentity(1, 1), data.identity());
    }
  }

  @Test
  void a_second_node_is_refused_until_the_first_lets_go() throws StartFailure {
    try (DataDirectory first = open()) {
      StartFailure failure = assertThrows(StartFailure.class, this::open);
      assertEquals(ExitCode.DATA_DIRECTORY, failure.exitCode());
      assertEquals(
          List.of("the data directory [" + folder.resolve("data") + "] is in use by another node"),
          failure.faults());
      assertEquals(1, first.start());
    }
    open().close();
  }

  @Test
  void a_file_in_its_place_is_refused() throws Exception {
    Files.writeString(folder.resolve("data"), "not a folder");
    assertRefused("file already exists");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "format=2\ncluster=1\nmember=2\nstarts=3\n",
        "format=1\ncluster=1\nmember=2\nstarts=many\n",
        "format=1\ncluster=1\nmember=2\n",
        "format=1\ncluster=1\nmember=2\nstarts=9999999999\n",
        "format=1\ncluster=xyz\nmember=2\nstarts=3\n",
        "format=1\ncluster=0\nmember=2\nstarts=3\n",
        "format=1\ncluster=\\u00\n",
      })
  void a_damaged_file_is_refused_and_left_as_it_is(String content) throws Exception {
    Path data = Files.createDirectories(folder.resolve("data"));
    Path file = Files.writeString(data.resolve("node"), content);
    assertRefused("file [" + file + "]");
    assertEquals(content, Files.readString(file));
  }

  private void assertRefused(String reason) {
    StartFailure failure = assertThrows(StartFailure.class, this::open);
    assertEquals(ExitCode.DATA_DIRECTORY, failure.exitCode());
    assertEquals(1, failure.faults().size());
    assertTrue(failure.faults().get(0).contains(reason), failure.faults().get(0));
  }

  private DataDirectory open() throws StartFailure {
    return DataDirectory.open(folder.resolve("data"), random::nextLong);
  }
}
