package io.holdfast.journal.state;

import io.holdfast.id.LeaseLife;
import java.util.Optional;

/** The rules about leases that an append begins, ends or attaches a record to. */
final class LeaseRules {

  private LeaseRules() {}

  /** The refusal of an append that breaks a rule; empty if it breaks none. */
  static Optional<Verdict> objection(Append append, LeaseTable leases) {
    for (PublicChange change : append.draft().changes()) {
      if (change instanceof PublicChange.Set set) {
        for (Part part : set.parts()) {
          LeaseLife lease = part.lease();
          if (lease != null && !leases.isAlive(lease)) {
            return Optional.of(new Verdict.LeaseDead(lease));
          }
        }
      }
    }
    LeaseChange change = append.draft().leaseChange();
    if (change instanceof LeaseChange.Begins begins) {
      return leases.life(begins.id()).map(Verdict.LeaseAlive::new);
    } else if (change instanceof LeaseChange.Ends ends) {
      return leases.isAlive(ends.lease())
          ? Optional.empty()
          : Optional.of(new Verdict.LeaseDead(ends.lease()));
    } else if (change == null) {
      return Optional.empty();
    }
    throw new AssertionError(change);
  }
}
