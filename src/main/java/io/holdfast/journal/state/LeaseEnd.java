package io.holdfast.journal.state;

import java.util.List;

/**
 * The end of a lease.
 *
 * @param note why, in its writer's words
 * @param had the ids that hung on it
 */
public record LeaseEnd(LeaseRef lease, Bytes note, List<AttachedId> had) {

  public LeaseEnd {
    had = List.copyOf(had);
  }
}
