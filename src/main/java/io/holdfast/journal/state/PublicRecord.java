package io.holdfast.journal.state;

import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The public record of an id.
 *
 * @param parts at least one
 * @param created the revision that created it
 * @param revision the revision of its latest change
 * @param version 1 when it was created, and one more with every change
 */
public record PublicRecord(
    PersistenceId id, List<Part> parts, Revision created, Revision revision, long version) {

  public PublicRecord {
    parts = List.copyOf(parts);
  }

  /** The record after this one, or the first one. */
  static PublicRecord set(
      PersistenceId id, @Nullable PublicRecord before, List<Part> parts, Revision revision) {
    return before == null
        ? new PublicRecord(id, parts, revision, revision, 1)
        : new PublicRecord(id, parts, before.created, revision, before.version + 1);
  }

  /**
   * The record without the parts that are attached to a lease, which ended at this revision; null
   * if none is left.
   */
  @Nullable PublicRecord without(LeaseLife lease, Revision at) {
    List<Part> rest = new ArrayList<>(parts);
    rest.removeIf(part -> lease.equals(part.lease()));
    return rest.isEmpty() ? null : set(id, this, rest, at);
  }

  /** The leases to which parts of a record are attached; none if there is no record. */
  static Set<LeaseLife> leases(@Nullable PublicRecord record) {
    Set<LeaseLife> leases = Set.of();
    for (Part part : record == null ? List.<Part>of() : record.parts) {
      LeaseLife lease = part.lease();
      if (lease != null && leases.isEmpty()) { // most records have one part
        leases = Set.of(lease);
      } else if (lease != null && !leases.contains(lease)) {
        leases = leases.size() == 1 ? new LinkedHashSet<>(leases) : leases;
        leases.add(lease);
      }
    }
    return leases;
  }

  /** The number of its parts that are attached to a lease. */
  int partsOn(LeaseLife lease) {
    int count = 0;
    for (Part part : parts) {
      count += lease.equals(part.lease()) ? 1 : 0;
    }
    return count;
  }
}
