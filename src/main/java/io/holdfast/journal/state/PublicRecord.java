package io.holdfast.journal.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What everyone may see of an id.
 *
 * @param parts at least one
 * @param created the revision that made it, when there was none
 * @param revision the revision of its latest change
 * @param version 1 when it was created, and one more with every change
 */
public record PublicRecord(
    String key, List<Part> parts, long created, long revision, long version) {

  public PublicRecord {
    parts = List.copyOf(parts);
  }

  /** The record after this one, or the first one. */
  static PublicRecord set(
      String key, @Nullable PublicRecord before, List<Part> parts, long revision) {
    return before == null
        ? new PublicRecord(key, parts, revision, revision, 1)
        : new PublicRecord(key, parts, before.created, revision, before.version + 1);
  }

  /** What is left of it at a revision that ends a lease; null if nothing is. */
  @Nullable PublicRecord without(LeaseRef lease, long at) {
    List<Part> rest = new ArrayList<>(parts);
    rest.removeIf(part -> lease.equals(part.lease()));
    return rest.isEmpty() ? null : set(key, this, rest, at);
  }

  /** How many of its parts hang on a lease. */
  int partsOn(LeaseRef lease) {
    int count = 0;
    for (Part part : parts) {
      count += lease.equals(part.lease()) ? 1 : 0;
    }
    return count;
  }
}
