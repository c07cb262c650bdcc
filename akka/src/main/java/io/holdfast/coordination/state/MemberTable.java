package io.holdfast.coordination.state;

import io.holdfast.bytes.BytesInput;
import io.holdfast.bytes.BytesOutput;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The configured members, what they have room for, and of every member the last incarnation that
 * had a session.
 *
 * <p>A service has no data directory: each of its processes is a member of its own. Of those that
 * have ended the oldest are forgotten.
 */
final class MemberTable {

  private final NavigableMap<NodeId, ConfiguredMember> configured = new TreeMap<>();
  private final NavigableMap<NodeId, Long> incarnations = new TreeMap<>();
  private final NavigableMap<NodeId, Long> capacities = new TreeMap<>();
  private final LinkedHashSet<NodeId> services = new LinkedHashSet<>(); // in the order of beginning
  private long smallest = Long.MAX_VALUE;

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
    capacities.keySet().retainAll(configured.keySet());
    count();
  }

  /** A member says how many bytes of state it has room for; 0 if it does not say. */
  void hasRoomFor(NodeId member, long bytes) {
    if (bytes == 0) {
      capacities.remove(member);
    } else if (isConfigured(member)) {
      capacities.put(member, bytes);
    }
    count();
  }

  private void count() {
    smallest = capacities.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
  }

  /**
   * The bytes of state that each configured member has room for, also one that does not run now: it
   * shall be able to come back.
   */
  long smallestCapacity() {
    return smallest;
  }

  boolean knows(NodeId member) {
    return configured.containsKey(member) || incarnations.containsKey(member);
  }

  boolean isConfigured(NodeId member) {
    return configured.containsKey(member);
  }

  /** True if the last session of the member was one of a node. */
  boolean wasNode(NodeId member) {
    return incarnations.containsKey(member) && !services.contains(member);
  }

  void forget(NodeId member) {
    configured.remove(member);
    hasRoomFor(member, 0);
    incarnations.remove(member);
    services.remove(member);
  }

  /** The last incarnation of the member that had a session, or 0. */
  long incarnation(NodeId member) {
    return incarnations.getOrDefault(member, 0L);
  }

  boolean remembers(NodeId member) {
    return incarnations.containsKey(member) || incarnations.size() < CoordinationBounds.MAX_MEMBERS;
  }

  void began(NodeId member, long incarnation) {
    incarnations.put(member, incarnation);
    services.remove(member);
  }

  /**
   * As {@link #began}, of a service.
   *
   * @param lives true for a member that must not be forgotten
   */
  void serviceBegan(NodeId member, long incarnation, Predicate<NodeId> lives) {
    began(member, incarnation);
    services.add(member);
    Iterator<NodeId> oldest = services.iterator();
    while (services.size() > CoordinationBounds.MAX_KNOWN_SERVICES && oldest.hasNext()) {
      NodeId next = oldest.next();
      if (!next.equals(member) && !lives.test(next)) {
        oldest.remove();
        incarnations.remove(next);
      }
    }
  }

  void writeTo(BytesOutput out) {
    out.putInt(configured.size());
    for (ConfiguredMember member : configured.values()) {
      out.putLong(member.id().value());
      out.putText(member.address()).putByte(NodeRole.bits(member.roles()));
    }
    out.putInt(incarnations.size());
    incarnations.forEach((member, number) -> out.putLong(member.value()).putLong(number));
    out.putInt(services.size());
    services.forEach(service -> out.putLong(service.value()));
    out.putInt(capacities.size());
    capacities.forEach((member, bytes) -> out.putLong(member.value()).putLong(bytes));
  }

  /**
   * Reads what was written.
   *
   * @param format 2 and less do not say who is a service, 3 not what members have room for
   */
  static MemberTable readFrom(BytesInput in, int format) {
    MemberTable table = new MemberTable();
    List<ConfiguredMember> members = new ArrayList<>();
    for (int i = in.getCount(CoordinationBounds.MAX_CONFIGURED); i > 0; i--) {
      NodeId id = new NodeId(in.getLong());
      members.add(new ConfiguredMember(id, in.getText(), NodeRole.ofBits(in.getByte())));
    }
    table.configure(members);
    for (int i = in.getCount(CoordinationBounds.MAX_MEMBERS); i > 0; i--) {
      table.began(new NodeId(in.getLong()), in.getLong());
    }
    for (int i = format > 2 ? in.getCount(CoordinationBounds.MAX_MEMBERS) : 0; i > 0; i--) {
      table.services.add(new NodeId(in.getLong()));
    }
    for (int i = format > 3 ? in.getCount(CoordinationBounds.MAX_CONFIGURED) : 0; i > 0; i--) {
      table.hasRoomFor(new NodeId(in.getLong()), in.getLong());
    }
    return table;
  }
}
