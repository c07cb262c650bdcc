package holdfast.coordination.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The configured members, and of every member the last incarnation that had a session. */
final class MemberTable {

  private final NavigableMap<NodeId, ConfiguredMember> configured = new TreeMap<>();
  private final NavigableMap<NodeId, Long> incarnations = new TreeMap<>();

  List<ConfiguredMember> configured() {
    return List.copyOf(configured.values());
  }

  /** The members that vote in Raft. */
  Set<NodeId> voters() {
    Set<NodeId> voters = new TreeSet<>();
    configured.values().stream().filter(ConfiguredMember::votes).forEach(m -> voters.add(m.id()));
    return voters;
  }

  /** Sets the whole configuration. */
  void configure(Collection<ConfiguredMember> members) {
    configured.clear();
    members.forEach(member -> configured.put(member.id(), member));
  }

  boolean knows(NodeId member) {
    return configured.containsKey(member) || incarnations.containsKey(member);
  }

  void forget(NodeId member) {
    configured.remove(member);
    incarnations.remove(member);
  }

  /** The last incarnation of the member that had a session, or 0. */
  long incarnation(NodeId member) {
    return incarnations.getOrDefault(member, 0L);
  }

  boolean remembers(NodeId member) {
    return incarnations.containsKey(member) || incarnations.size() < Bounds.MAX_MEMBERS;
  }

  void began(NodeId member, long incarnation) {
    incarnations.put(member, incarnation);
  }

  void writeTo(SnapshotOutput out) {
    out.putInt(configured.size());
    for (ConfiguredMember member : configured.values()) {
      out.putLong(member.id().value());
      out.putText(member.address()).putByte(NodeRole.bits(member.roles()));
    }
    out.putInt(incarnations.size());
    incarnations.forEach((member, number) -> out.putLong(member.value()).putLong(number));
  }

  static MemberTable readFrom(SnapshotInput in) {
    MemberTable table = new MemberTable();
    List<ConfiguredMember> members = new ArrayList<>();
    for (int i = in.getCount(Bounds.MAX_CONFIGURED); i > 0; i--) {
      NodeId id = new NodeId(in.getLong());
      members.add(new ConfiguredMember(id, in.getText(), NodeRole.ofBits(in.getByte())));
    }
    table.configure(members);
    for (int i = in.getCount(Bounds.MAX_MEMBERS); i > 0; i--) {
      table.began(new NodeId(in.getLong()), in.getLong());
    }
    return table;
  }
}
