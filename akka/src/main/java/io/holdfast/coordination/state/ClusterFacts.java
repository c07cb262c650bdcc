package io.holdfast.coordination.state;

import io.holdfast.bytes.BytesInput;
import io.holdfast.bytes.BytesOutput;

/** The id of the cluster, and the last forming of its Akka cluster. */
final class ClusterFacts {

  private long id;
  private FormationId formation;
  private long joinings;

  ClusterFacts(long id, FormationId formation, long joinings) {
    this.id = id;
    this.formation = formation;
    this.joinings = joinings;
  }

  boolean isFounded() {
    return id != 0;
  }

  long id() {
    return id;
  }

  FormationId formation() {
    return formation;
  }

  void found(long clusterId) {
    id = clusterId;
  }

  void form(FormationId newFormation) {
    formation = newFormation;
  }

  /** The number of times that a session has joined. */
  long joinings() {
    return joinings;
  }

  void joined() {
    joinings++;
  }

  void writeTo(BytesOutput out) {
    out.putLong(id).putLong(formation.value()).putLong(joinings);
  }

  static ClusterFacts readFrom(BytesInput in) {
    return new ClusterFacts(in.getLong(), new FormationId(in.getLong()), in.getLong());
  }
}
