package io.holdfast.simulation.cluster;

import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.member.CoordinationReplica.Written;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.simulation.Violation;
import java.util.Arrays;
import java.util.List;

/**
 * SameState, of a service: what it has followed is the state of the nodes at that entry, to the
 * byte, and it never goes back to an older one.
 */
final class FollowsTruly implements CoordinationReplica.Copyist {

  /** Not each is compared, since it costs. */
  private static final int EVERY = 4;

  private final ClusterLocks locks;
  private final CoordinationReplica replica;
  private final ServiceMember service;
  private long followedTo;

  FollowsTruly(ClusterLocks locks, CoordinationReplica replica, ServiceMember service) {
    this.locks = locks;
    this.replica = replica;
    this.service = service;
  }

  @Override
  public void written(List<Written> batch) {
    compare();
  }

  @Override
  public void restarted() {
    compare();
  }

  private void compare() {
    long index = replica.read(CoordinationState::appliedIndex);
    CoordinationState truth = locks.world().chronicle().coordination();
    if (index < followedTo || index > truth.appliedIndex()) {
      throw new Violation("SameState", service + " is at " + index + " after " + followedTo);
    }
    followedTo = index;
    if (index == truth.appliedIndex() && index % EVERY == 0) {
      locks.count("service member is compared");
      if (!Arrays.equals(replica.read(CoordinationState::toBytes), truth.toBytes())) {
        throw new Violation("SameState", service + " differs at " + index);
      }
    }
  }
}
