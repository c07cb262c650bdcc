package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.bytes.Bytes;
import io.holdfast.fixtures.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The sorted map of bytes, compared with one of the JDK. */
class SortedBytesTest {

  private record Version(SortedBytes map, TreeMap<byte[], byte[]> model) {}

  @Test
  void random_changes_give_the_content_of_a_map_of_the_jdk() {
    Seeds.each(30, SortedBytesTest::live);
  }

  private static void live(SplittableRandom random) {
    SortedBytes map = SortedBytes.EMPTY;
    TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    List<Version> versions = new ArrayList<>();
    int range = 1 << random.nextInt(2, 12);
    int steps = random.nextInt(3000);
    int removes = random.nextInt(1, 10);
    for (int i = 0; i < steps; i++) {
      byte[] key = key(random.nextInt(range));
      // In the last third it shrinks to the last entries.
      boolean remove = random.nextInt(10) < (i > steps * 2 / 3 ? 9 : removes);
      if (remove) {
        map = map.remove(key);
        model.remove(key);
      } else {
        int most = random.nextInt(20) == 0 ? 9000 : 300;
        byte[] value = new byte[random.nextInt(most)];
        random.nextBytes(value);
        map = map.put(key, pieces(value, random));
        model.put(key, value);
      }
      if (random.nextInt(200) == 0) {
        versions.add(new Version(map, new TreeMap<>(model)));
      }
    }
    versions.add(new Version(map, model));
    for (Version version : versions) {
      compare(version, random, range);
    }
  }

  private static byte[][] pieces(byte[] value, SplittableRandom random) {
    if (random.nextBoolean()) {
      return new byte[][] {value};
    }
    int cut = random.nextInt(value.length + 1);
    return new byte[][] {
      Arrays.copyOf(value, cut), {}, Arrays.copyOfRange(value, cut, value.length)
    };
  }

  private static void compare(Version version, SplittableRandom random, int range) {
    long bytes = 0;
    for (var entry : version.model().entrySet()) {
      bytes += 6 + entry.getKey().length + entry.getValue().length;
    }
    assertEquals(bytes, version.map().bytes());
    byte[] from = key(random.nextInt(range));
    assertAlike(version.model().tailMap(from), scanned(version.map(), from));
    assertAlike(version.model(), scanned(version.map(), new byte[0]));
    assertEquals(version.model().isEmpty(), version.map().isEmpty());
    assertEquals(version.model().size(), version.map().size());
    byte[] prefix = Arrays.copyOf(from, random.nextInt(from.length + 1));
    assertEquals(
        version.model().keySet().stream()
            .filter(key -> SortedBytes.startsWith(key, prefix))
            .count(),
        version.map().count(prefix));
    for (int i = 0; i < range; i++) {
      byte[] expected = version.model().get(key(i));
      byte[] found = version.map().get(key(i));
      if (expected == null) {
        assertNull(found);
      } else {
        assertNotNull(found);
        assertArrayEquals(expected, found);
      }
    }
  }

  private static void assertAlike(
      java.util.SortedMap<byte[], byte[]> expected, List<byte[][]> found) {
    assertEquals(expected.size(), found.size());
    int i = 0;
    for (var entry : expected.entrySet()) {
      assertArrayEquals(entry.getKey(), found.get(i)[0]);
      assertArrayEquals(entry.getValue(), found.get(i)[1]);
      i++;
    }
  }

  private static List<byte[][]> scanned(SortedBytes map, byte[] from) {
    List<byte[][]> found = new ArrayList<>();
    map.scan(from, (key, value) -> found.add(new byte[][] {key, SortedBytes.whole(value)}));
    return found;
  }

  /** Keys of several lengths, some of which are prefixes of others. */
  private static byte[] key(int number) {
    return Integer.toString(number, 3).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }

  @Test
  void a_prefix_is_a_range_also_when_a_key_is_the_prefix() {
    SortedBytes map = SortedBytes.EMPTY;
    for (String key : List.of("a", "ab", "ab/1", "ab/2", "ac", "b")) {
      map = map.put(Bytes.of(key).array(), Bytes.of(key).array());
    }
    List<String> found = new ArrayList<>();
    map.scan(Bytes.of("ab").array(), new byte[0], (key, value) -> found.add(Bytes.of(key).text()));
    assertEquals(List.of("ab", "ab/1", "ab/2"), found);
  }

  @Test
  void a_large_value_is_shared_by_all_versions_and_not_copied() {
    byte[] large = new byte[10_000];
    SortedBytes map = SortedBytes.EMPTY.put(key(1), new byte[] {1}, large, new byte[] {2});
    for (int i = 2; i < 1000; i++) {
      map = map.put(key(i), key(i));
    }
    byte[][] pieces = map.pieces(key(1));
    assertNotNull(pieces);
    assertEquals(3, pieces.length);
    assertSame(large, pieces[1]);
  }

  @Test
  void a_scan_stops_when_the_visitor_returns_false() {
    SortedBytes map = SortedBytes.EMPTY;
    for (int i = 0; i < 1000; i++) {
      map = map.put(key(i), new byte[100]);
    }
    int[] seen = {0};
    map.scan(new byte[0], (key, value) -> ++seen[0] < 10);
    assertEquals(10, seen[0]);
  }

  @Test
  void removing_an_absent_key_gives_the_same_map() {
    SortedBytes map = SortedBytes.EMPTY.put(key(1), key(1));
    assertTrue(map == map.remove(key(2)));
  }
}
