package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseLife;
import java.util.List;

/**
 * The end of a lease.
 *
 * @param note the writer's reason
 * @param had the ids that were attached to it
 */
public record LeaseEnd(LeaseLife lease, Bytes note, List<AttachedId> had) {

  public LeaseEnd {
    had = List.copyOf(had);
  }
}
