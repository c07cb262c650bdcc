package io.holdfast.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests every bound of a client's values: the last accepted value and the first refused one. */
class BoundsTest {

  @Test
  void a_key_has_1_to_512_bytes() {
    assertRefused(LockKey::new, "", "key is empty");
    assertEquals(512, new LockKey("k".repeat(512)).value().length());
    assertRefused(LockKey::new, "k".repeat(513), "key length [513] exceeds the maximum [512]");
  }

  @Test
  void the_bound_counts_bytes_not_characters() {
    assertEquals(256, new LockKey("ü".repeat(256)).value().length());
    assertRefused(LockKey::new, "ü".repeat(257), "key length [514] exceeds the maximum [512]");
    assertEquals(256, new LockKey("🔒".repeat(128)).value().length());
    assertRefused(LockKey::new, "🔒".repeat(129), "key length [516] exceeds the maximum [512]");
  }

  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x0A, 0x1F, 0x7F, 0x85, 0x9F})
  void a_control_character_is_refused(int control) {
    assertRefused(
        LockKey::new,
        "a" + (char) control,
        "key has the control character [U+%04X] at [1]".formatted(control));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\uD83D", "\uDD12", "\uDD12\uD83D", "a\uD83Db"})
  void half_a_surrogate_pair_is_refused(String text) {
    assertThrows(OutOfBound.class, () -> new LockKey(text));
  }

  @Test
  void ids_of_holders_requests_and_clients_have_up_to_128_bytes() {
    ClientId client = new ClientId("c".repeat(128));
    assertRefused(
        ClientId::new, "c".repeat(129), "client_id length [129] exceeds the maximum [128]");
    assertEquals("", ClientId.NAMELESS.value());
    assertRefused(v -> HolderId.of(client, v), "", "holder_id is empty");
    assertRefused(
        v -> HolderId.of(client, v),
        "h".repeat(129),
        "holder_id length [129] exceeds the maximum [128]");
    assertRefused(v -> new RequestId.Named(client, v), "", "request_id is empty");
    assertRefused(
        v -> new RequestId.Named(client, v),
        "r".repeat(129),
        "request_id length [129] exceeds the maximum [128]");
  }

  @Test
  void a_ttl_is_100_ms_to_24_hours() {
    assertEquals(100, new Ttl(100).millis());
    assertEquals(86_400_000, new Ttl(86_400_000).millis());
    assertRefused(Ttl::new, 99L, "ttl_ms [99] is below the minimum [100]");
    assertRefused(Ttl::new, -1L, "ttl_ms [-1] is below the minimum [100]");
    assertRefused(Ttl::new, 86_400_001L, "ttl_ms [86400001] exceeds the maximum [86400000]");
    assertRefused(
        Ttl::new, Long.MAX_VALUE, "ttl_ms [9223372036854775807] exceeds the maximum [86400000]");
  }

  @Test
  void a_wait_timeout_is_0_to_1_hour() {
    assertEquals(0, new WaitTimeout(0).millis());
    assertEquals(3_600_000, new WaitTimeout(3_600_000).millis());
    assertRefused(WaitTimeout::new, -1L, "timeout_ms [-1] is below the minimum [0]");
    assertRefused(
        WaitTimeout::new, 3_600_001L, "timeout_ms [3600001] exceeds the maximum [3600000]");
  }

  @Test
  void a_token_is_positive() {
    assertEquals(1, new FencingToken(1).value());
    assertRefused(FencingToken::new, 0L, "fencing_token [0] is below the minimum [1]");
    assertRefused(
        FencingToken::new,
        Long.MIN_VALUE,
        "fencing_token [-9223372036854775808] is below the minimum [1]");
  }

  @Test
  void a_lease_with_holders_has_a_positive_id() {
    assertRefused(
        v -> new HolderId(ClientId.NAMELESS, new LeaseId(v), "h"),
        -1L,
        "lease_id [-1] is below the minimum [1]");
  }

  @Test
  void a_holder_on_a_lease_is_scoped_by_the_lease_alone() {
    LeaseId lease = new LeaseId(7);
    assertEquals(
        new HolderId(new ClientId("one"), lease, "h"),
        new HolderId(new ClientId("other"), lease, "h"));
    assertNotEquals(HolderId.of(new ClientId("one"), "h"), HolderId.of(new ClientId("other"), "h"));
    assertNotEquals(
        HolderId.of(ClientId.NAMELESS, "h"), new HolderId(ClientId.NAMELESS, lease, "h"));
  }

  @Test
  void metadata_has_up_to_8_kib_and_is_immutable() {
    byte[] most = new byte[8_192];
    Metadata metadata = Metadata.of(most);
    assertEquals(8_192, metadata.size());
    most[0] = 1;
    metadata.bytes()[0] = 1;
    assertEquals(Metadata.of(new byte[8_192]), metadata);
    assertRefused(Metadata::of, new byte[8_193], "metadata [8193] exceeds the maximum [8192]");
  }

  @Test
  void a_force_reason_has_1_to_512_bytes() {
    RequestHeader request = new RequestHeader(new RequestId.Once(ClientId.NAMELESS, 1), 1);
    assertEquals("why", new LockCommand.Force(request, null, "why").reason());
    assertRefused(v -> new LockCommand.Force(request, null, v), "", "force_reason is empty");
    assertRefused(
        v -> new LockCommand.Force(request, null, v),
        "w".repeat(513),
        "force_reason length [513] exceeds the maximum [512]");
  }

  @Test
  void a_number_of_a_session_is_positive() {
    LeaseLife session = LeaseLife.of(new LeaseId(1), new Revision(1));
    assertRefused(
        v -> new RequestId.Numbered(ClientId.NAMELESS, session, v),
        0L,
        "number [0] is below the minimum [1]");
  }

  private static <T> void assertRefused(Function<T, ?> make, T value, String message) {
    assertEquals(message, assertThrows(OutOfBound.class, () -> make.apply(value)).getMessage());
  }
}
