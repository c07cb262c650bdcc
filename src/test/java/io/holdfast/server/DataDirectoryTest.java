package io.holdfast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.raft.core.MemberId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the data directory: its ids stay, its starts count up, and one process at a time has it.
 */
class DataDirectoryTest {

  @TempDir Path folder;
  private final SplittableRandom random = new SplittableRandom(1);

  @Test
  void ids_stay_and_starts_count_up() throws StartFailure {
    MemberId member;
    try (DataDirectory first = open()) {
      member = first.member();
      assertEquals(1, first.start());
    }
    try (DataDirectory second = open()) {
      assertEquals(member, second.member());
      assertEquals(2, second.start());
    }
  }

  @Test
  void nobody_else_may_look_into_a_new_directory() throws Exception {
    Path data = folder.resolve("deep/data");
    try (DataDirectory opened = DataDirectory.open(data, random::nextLong)) {
      assertPrivate(data, opened);
    }
  }

  @Test
  void a_directory_that_was_open_to_others_is_closed_to_them() throws Exception {
    Path data = folder.resolve("data");
    DataDirectory.open(data, random::nextLong).close();
    for (Path each : List.of(data, data.resolve("node"), data.resolve("lock"))) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    Path elsewhere = Files.writeString(folder.resolve("elsewhere"), "of somebody else");
    Files.createSymbolicLink(data.resolve("link"), elsewhere);
    String before = rights(elsewhere);
    try (DataDirectory opened = DataDirectory.open(data, random::nextLong)) {
      assertPrivate(data, opened);
    }
    assertEquals(before, rights(elsewhere), "a link is not followed");
  }

  private static void assertPrivate(Path data, DataDirectory opened) throws Exception {
    assertEquals("rwx------", rights(data));
    assertEquals("rwx------", rights(opened.logDirectory()));
    for (String file : List.of("node", "lock")) {
      assertEquals("------", rights(data.resolve(file)).substring(3), file);
    }
  }

  private static String rights(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void an_id_is_never_0() throws StartFailure {
    try (DataDirectory data = DataDirectory.open(folder.resolve("data"), () -> 0)) {
      assertEquals(new MemberId(1), data.member());
    }
  }

  @Test
  void a_second_node_is_refused_until_the_first_lets_go() throws StartFailure {
    try (DataDirectory first = open()) {
      StartFailure failure = assertThrows(StartFailure.class, this::open);
      assertEquals(NodeExitCode.DATA_DIRECTORY, failure.exitCode());
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
        "format=6\nmember=2\nstarts=3\n",
        "format=5\nmember=2\nstarts=3\n",
        "format=5\nmember=2\nstarts=3\ncheck=00000000\n",
        "format=5\nmember=\\u00\n",
      })
  void a_file_without_its_check_is_refused_and_left_as_it_is(String content) throws Exception {
    assertRefusedAsItIs(content);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "format=5\nmember=2\nstarts=many\n",
        "format=5\nmember=2\n",
        "format=5\nmember=2\nstarts=9999999999\n",
        "format=5\nmember=xyz\nstarts=3\n",
        "format=5\nmember=0\nstarts=3\n",
        "format=5\nmember=2\nstarts=3\nlog=gone\n",
      })
  void a_file_that_makes_no_sense_is_refused_and_left_as_it_is(String content) throws Exception {
    CRC32C crc = new CRC32C();
    crc.update(content.getBytes(StandardCharsets.ISO_8859_1));
    assertRefusedAsItIs(content + "check=%08x\n".formatted(crc.getValue()));
  }

  private void assertRefusedAsItIs(String content) throws Exception {
    Path data = Files.createDirectories(folder.resolve("data"));
    Path file = Files.writeString(data.resolve("node"), content);
    assertRefused("file [" + file + "]");
    assertEquals(content, Files.readString(file));
  }

  @Test
  void any_bit_that_is_flipped_is_noticed() throws Exception {
    open().close();
    Path file = folder.resolve("data").resolve("node");
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length - 1; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] flipped = whole.clone();
        flipped[at] ^= (byte) (1 << bit);
        Files.write(file, flipped);
        assertRefused("file [" + file + "]");
      }
    }
  }

  @Test
  void a_directory_that_lost_what_was_confirmed_starts_no_node() throws Exception {
    try (DataDirectory data = open()) {
      data.noteLogLost();
    }
    assertRefused("has lost what this node had confirmed to others");
  }

  @Test
  void a_directory_of_a_prerelease_is_refused_in_words() throws Exception {
    Path data = Files.createDirectories(folder.resolve("data"));
    for (int format = 1; format < 5; format++) {
      Files.writeString(data.resolve("node"), "format=" + format + "\nmember=2\nstarts=3\n");
      assertRefused(
          "has format [%d], from before the first release: move the directory away"
              .formatted(format));
    }
  }

  @Test
  void a_begun_log_is_remembered_and_nothing_else_changes() throws Exception {
    MemberId member;
    try (DataDirectory first = open()) {
      assertFalse(first.isLogBegun());
      first.noteLogBegun();
      assertTrue(first.isLogBegun());
      first.noteLogBegun();
      member = first.member();
    }
    try (DataDirectory second = open()) {
      assertTrue(second.isLogBegun());
      assertEquals(member, second.member());
      assertEquals(2, second.start());
    }
  }

  @Test
  void a_start_that_ended_before_its_log_was_begun_leaves_no_mark() throws Exception {
    try (DataDirectory first = open()) {
      assertTrue(Files.isDirectory(first.logDirectory()));
    }
    try (DataDirectory second = open()) {
      assertFalse(second.isLogBegun());
    }
  }

  private void assertRefused(String reason) {
    StartFailure failure = assertThrows(StartFailure.class, this::open);
    assertEquals(NodeExitCode.DATA_DIRECTORY, failure.exitCode());
    assertEquals(1, failure.faults().size());
    assertTrue(failure.faults().get(0).contains(reason), failure.faults().get(0));
  }

  private DataDirectory open() throws StartFailure {
    return DataDirectory.open(folder.resolve("data"), random::nextLong);
  }
}
