package io.holdfast.coordination.state;

import io.holdfast.bytes.BytesInput;
import io.holdfast.bytes.BytesOutput;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The sessions that live. */
final class SessionTable {

  private final NavigableMap<SessionId, Session> live = new TreeMap<>();

  /** All of them, oldest first. */
  List<Session> all() {
    return List.copyOf(live.values());
  }

  @Nullable Session find(SessionId id) {
    return live.get(id);
  }

  @Nullable Session of(NodeId member) {
    for (Session session : live.values()) {
      if (session.member().equals(member)) {
        return session;
      }
    }
    return null;
  }

  /** The number of sessions that are services'. */
  int services() {
    return (int) live.values().stream().filter(Session::isService).count();
  }

  int size() {
    return live.size();
  }

  void put(Session session) {
    live.put(session.id(), session);
  }

  /** Takes a session out, also of what others say of it. */
  void remove(SessionId id) {
    live.remove(id);
    live.replaceAll((other, session) -> session.without(id));
  }

  /** Those of the given ids that live. */
  Set<SessionId> living(Set<SessionId> ids) {
    Set<SessionId> living = new TreeSet<>(live.keySet());
    living.retainAll(ids);
    return living;
  }

  void writeTo(BytesOutput out) {
    out.putInt(live.size());
    for (Session session : live.values()) {
      out.putLong(session.id().value()).putLong(session.member().value());
      out.putLong(session.incarnation()).putText(session.akkaAddress()).putLong(session.akkaUid());
      out.putByte(NodeRole.bits(session.roles())).putInt(session.ttlMs());
      out.putLong(session.renewal()).putLong(session.formation().value());
      out.putInt(session.unreachable().size());
      session.unreachable().stream().sorted().forEach(other -> out.putLong(other.value()));
      out.putText(session.endpoint());
    }
  }

  /**
   * Reads what was written.
   *
   * @param hasEndpoints true if the writer's format has the address at which clients reach a node
   */
  static SessionTable readFrom(BytesInput in, boolean hasEndpoints) {
    SessionTable table = new SessionTable();
    for (int i = in.getCount(CoordinationBounds.MAX_SESSIONS); i > 0; i--) {
      table.put(
          new Session(
              new SessionId(in.getLong()),
              new NodeId(in.getLong()),
              in.getLong(),
              in.getText(),
              in.getLong(),
              NodeRole.ofBits(in.getByte()),
              in.getInt(),
              in.getLong(),
              new FormationId(in.getLong()),
              readIds(in),
              hasEndpoints ? in.getText() : ""));
    }
    return table;
  }

  private static Set<SessionId> readIds(BytesInput in) {
    Set<SessionId> ids = new TreeSet<>();
    for (int i = in.getCount(CoordinationBounds.MAX_SESSIONS); i > 0; i--) {
      ids.add(new SessionId(in.getLong()));
    }
    return ids;
  }
}
