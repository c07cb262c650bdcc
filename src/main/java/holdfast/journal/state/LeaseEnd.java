package holdfast.journal.state;

import java.util.List;

/**
 * The end of a lease.
 *
 * @param had the ids that hung on it
 */
public record LeaseEnd(LeaseRef lease, List<AttachedId> had) {

  public LeaseEnd {
    had = List.copyOf(had);
  }
}
