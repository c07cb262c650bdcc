package io.holdfast.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.holdfast.v1.Header;
import io.holdfast.v1.SnapshotHeader;
import io.holdfast.v1.SnapshotResponse;
import io.holdfast.v1.SnapshotSum;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy on its way into a file: whole and true, or not there. */
final class SnapshotSavingTest {

  private static final SnapshotHeader HEADER =
      SnapshotHeader.newBuilder()
          .setHeader(Header.newBuilder().setClusterId(7).setRevision(42))
          .setLockCount(3)
          .build();

  @TempDir private Path folder;

  @Test
  void a_saved_file_has_all_that_was_sent() throws Exception {
    Path file = folder.resolve("saved");
    save(file, header(), chunk("abc"), chunk("defg"), sum("abcdefg"));
    ClusterSnapshotFile.Content content = ClusterSnapshotFile.read(file);
    assertEquals(HEADER, content.header());
    assertEquals(7, content.stateBytes());
    byte[] all = Files.readAllBytes(file);
    assertEquals("HOLDFAST", new String(all, 0, 8, StandardCharsets.US_ASCII));
    assertTrue(new String(all, StandardCharsets.ISO_8859_1).contains("abcdefg"));
    save(file, header(), sum(""));
    assertEquals(0, ClusterSnapshotFile.read(file).stateBytes(), "the new one takes its place");
  }

  @Test
  void nobody_s_link_is_followed_and_nobody_else_may_read() throws Exception {
    Path victim = Files.writeString(folder.resolve("victim"), "precious");
    Path file = folder.resolve("saved");
    Files.createSymbolicLink(folder.resolve("saved.part"), victim);
    Files.createSymbolicLink(file, victim);
    save(file, header(), chunk("abc"), sum("abc"));
    assertEquals("precious", Files.readString(victim));
    assertFalse(Files.isSymbolicLink(file), "it took the link's place");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void a_copy_that_is_broken_leaves_the_file_of_before() throws Exception {
    Path file = folder.resolve("saved");
    save(file, header(), chunk("before"), sum("before"));
    byte[] before = Files.readAllBytes(file);
    refused(file, header(), chunk("abc"));
    refused(file, header(), chunk("abc"), sum("abd"));
    refused(file, header(), chunk("abc"), sum("ab"));
    refused(file, chunk("abc"), sum("abc"));
    refused(file, header(), SnapshotResponse.getDefaultInstance());
    try (Stream<Path> all = Files.list(folder)) {
      assertEquals(List.of(file), all.toList(), "nothing is left beside it");
    }
    assertEquals(ByteString.copyFrom(before), ByteString.copyFrom(Files.readAllBytes(file)));
  }

  private static void refused(Path file, SnapshotResponse... pieces) {
    Exception failure = assertThrows(Exception.class, () -> save(file, pieces));
    assertTrue(
        failure instanceof IOException || failure instanceof UncheckedIOException,
        failure::toString);
  }

  private static void save(Path file, SnapshotResponse... pieces) throws IOException {
    try (SnapshotSaving saving = new SnapshotSaving(file, bytes -> {})) {
      for (SnapshotResponse piece : pieces) {
        saving.take(piece);
      }
      saving.finish();
    }
  }

  private static SnapshotResponse header() {
    return SnapshotResponse.newBuilder().setHeader(HEADER).build();
  }

  private static SnapshotResponse chunk(String text) {
    return SnapshotResponse.newBuilder().setChunk(ByteString.copyFromUtf8(text)).build();
  }

  private static SnapshotResponse sum(String text) throws IOException {
    byte[] bytes = ByteString.copyFromUtf8(text).toByteArray();
    MessageDigest digest = ClusterSnapshotFile.sha256();
    return SnapshotResponse.newBuilder()
        .setSum(
            SnapshotSum.newBuilder()
                .setSize(bytes.length)
                .setSha256(ByteString.copyFrom(digest.digest(bytes))))
        .build();
  }
}
