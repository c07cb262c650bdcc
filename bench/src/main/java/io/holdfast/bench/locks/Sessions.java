package io.holdfast.bench.locks;

import io.holdfast.bench.cluster.NodePlace;
import java.util.ArrayList;
import java.util.List;

/** Several sessions, of which each serves so many seats that its operations fit into one frame. */
final class Sessions implements Door {

  static final int SEATS = 1_000;

  private final List<Door> doors = new ArrayList<>();

  /** Sessions with a stream to this node each, for so many seats. */
  static Sessions open(NodePlace place, int seats, Findings findings) {
    Sessions sessions = new Sessions();
    for (int seat = 0; seat < seats; seat += SEATS) {
      sessions.doors.add(SessionDoor.open(List.of(place), Routing.ONE, findings));
    }
    return sessions;
  }

  /** Returns the session of a seat. */
  static int of(int seat) {
    return seat / SEATS;
  }

  @Override
  public void lock(String key, int seat, long timeoutMs, Asker asker) {
    doors.get(of(seat)).lock(key, seat, timeoutMs, asker);
  }

  @Override
  public void unlock(String key, int seat, long token, Asker asker) {
    doors.get(of(seat)).unlock(key, seat, token, asker);
  }

  @Override
  public void flush() {
    doors.forEach(Door::flush);
  }

  @Override
  public void close() {
    doors.forEach(Door::close);
  }
}
