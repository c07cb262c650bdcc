package io.holdfast.coordination.following;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The nodes at which a service can follow the log, and the current one. Used by one actor. */
final class LogHosts {

  private final List<String> contacts;
  private List<String> known = List.of();
  private String current;

  /**
   * Begins with the first contact.
   *
   * @param contacts Akka addresses, one at least
   */
  LogHosts(List<String> contacts) {
    this.contacts = List.copyOf(contacts);
    this.current = contacts.get(0);
  }

  String current() {
    return current;
  }

  /** Sets the nodes with a session. They come before the contacts, which may be gone. */
  void know(List<String> nodes) {
    known = List.copyOf(nodes);
  }

  /** Changes to the next node, and returns it. */
  String next() {
    Set<String> each = new LinkedHashSet<>(known);
    each.addAll(contacts);
    List<String> all = new ArrayList<>(each);
    current = all.get((all.indexOf(current) + 1) % all.size());
    return current;
  }
}
