package io.holdfast.bench.floods;

import java.io.IOException;

/**
 * A way to harm a node through its ports.
 *
 * @param secured true if the node has TLS, with clients and with members
 */
record Attack(String name, String what, boolean secured, Act act) {

  /** Nothing but the bystander and the nodes, to compare attacks with. */
  static final String CONTROL = "control";

  /** The loop of an attack: it ends when its siege does. */
  @FunctionalInterface
  interface Act {
    void on(Siege siege) throws IOException;
  }

  boolean isControl() {
    return name.endsWith(CONTROL);
  }

  static Attack plain(String name, String what, Act act) {
    return new Attack(name, what, /* secured= */ false, act);
  }

  static Attack secured(String name, String what, Act act) {
    return new Attack(name, what, /* secured= */ true, act);
  }
}
