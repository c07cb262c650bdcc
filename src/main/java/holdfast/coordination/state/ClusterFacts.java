package holdfast.coordination.state;

/** Which cluster this is, and the last forming of its Akka cluster. */
final class ClusterFacts {

  private long id;
  private FormationId formation;

  ClusterFacts(long id, FormationId formation) {
    this.id = id;
    this.formation = formation;
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

  void writeTo(SnapshotOutput out) {
    out.putLong(id).putLong(formation.value());
  }

  static ClusterFacts readFrom(SnapshotInput in) {
    return new ClusterFacts(in.getLong(), new FormationId(in.getLong()));
  }
}
