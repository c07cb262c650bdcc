package io.holdfast.grpc.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import org.junit.jupiter.api.Test;

class SessionIntakeTest {

  private static final int ALL = 1_000_000;
  private static final int LARGE = SessionIntake.SMALL + 1;

  private final Quota frames = new Quota(Quota.Kind.FRAMES, ALL, ALL);
  private final Quota unread = new Quota(Quota.Kind.UNREAD, ALL, ALL);
  private final ClientConnection caller = ClientConnection.unknown();
  private final SessionIntake intake = new SessionIntake(frames, unread, caller);

  @Test
  void a_frame_counts_with_its_decoded_size_until_it_starts() {
    assertTrue(intake.letsIn(1_000));
    assertTrue(intake.letsIn(2_000));
    assertEquals(3_000 * SessionIntake.DECODED, frames.taken());
    intake.begun();
    assertEquals(2_000 * SessionIntake.DECODED, frames.taken());
    intake.begun();
    assertEquals(0, frames.taken());
  }

  @Test
  void frames_of_many_streams_share_the_quota_of_an_address() {
    int many = 0;
    for (int i = 0; i < 1_000; i++) {
      many += new SessionIntake(frames, unread, caller).letsIn(10_000) ? 1 : 0;
    }
    assertEquals(3, many); // of half of all, 240,000 each
  }

  @Test
  void a_large_frame_waits_for_room_and_a_small_one_does_not() {
    frames.count(caller, ALL / 2);
    assertFalse(intake.letsIn(LARGE));
    assertTrue(intake.letsIn(SessionIntake.SMALL));
    intake.begun();
    frames.give(caller, 1);
    assertTrue(intake.letsIn(LARGE));
  }

  @Test
  void a_large_frame_waits_while_too_many_answers_are_unread() {
    unread.count(caller, ALL / 2);
    assertFalse(intake.letsIn(LARGE));
    assertTrue(intake.letsIn(SessionIntake.SMALL));
    unread.give(caller, 1);
    assertTrue(intake.letsIn(LARGE));
  }

  @Test
  void frames_of_one_address_leave_room_for_other_addresses() {
    frames.count(caller, 5 * ALL);
    assertFalse(intake.hasRoom());
    assertTrue(new SessionIntake(frames, unread, ClientConnection.unknown()).letsIn(LARGE));
  }

  @Test
  void a_frame_without_room_for_long_is_refused() {
    frames.count(caller, ALL / 2);
    for (int i = 1; i < SessionIntake.LOOKS; i++) {
      assertFalse(intake.letsIn(LARGE));
    }
    StatusRuntimeException refused =
        assertThrows(StatusRuntimeException.class, () -> intake.letsIn(LARGE));
    assertEquals(Reason.REASON_OVERLOADED, StatusMapping.refusal(refused).getReason());
  }

  @Test
  void a_closed_stream_releases_its_frames_and_counts_no_more() {
    assertTrue(intake.letsIn(1_000));
    assertTrue(intake.letsIn(1_000));
    intake.close();
    assertEquals(0, frames.taken());
    assertTrue(intake.letsIn(1_000));
    assertEquals(0, frames.taken());
  }
}
