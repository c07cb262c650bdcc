package io.holdfast.raft.node;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.raft.core.EntriesLost;
import io.holdfast.raft.node.TestGroup.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that forgets what it said was synced. */
class EntriesLostTest {

  private static final int BLOCK = 512;

  @TempDir Path root;

  @Test
  void a_member_whose_disk_lost_what_it_had_confirmed_ends() throws IOException {
    try (TestGroup group = TestGroup.formed(root, Long.MAX_VALUE)) {
      group.put(group.leader(), "one");
      group.put(group.leader(), "two");
      group.assertAllHave(List.of("one", "two"));
      Place lying = group.follower();
      group.stop(lying);
      zeroLastBlock(lying.directory);
      group.start(lying);
      RaftNode ending = lying.node();
      eventually(
          "the member has ended",
          TestGroup.WITHIN,
          () -> ending.stopped().toCompletableFuture().isDone(),
          ended -> ended);
      CompletionException failure =
          assertThrows(
              CompletionException.class, () -> ending.stopped().toCompletableFuture().join());
      assertInstanceOf(EntriesLost.class, failure.getCause());
      lying.node = null;
      group.put(group.leader(), "three");
      assertEquals(List.of("one", "two", "three"), group.leader().words.all());
    }
  }

  private static void zeroLastBlock(Path directory) throws IOException {
    Path newest;
    try (var files = Files.list(directory)) {
      newest =
          files
              .filter(file -> file.toString().endsWith(".segment"))
              .max(Comparator.naturalOrder())
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(newest);
    int last = bytes.length - 1;
    while (bytes[last] == 0) {
      last--;
    }
    try (FileChannel channel = FileChannel.open(newest, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(BLOCK), (long) last / BLOCK * BLOCK);
    }
  }
}
