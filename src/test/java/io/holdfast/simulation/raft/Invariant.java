package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.Message;

/** Something that always holds, told of everything that happens as it happens. */
interface Invariant {

  /** An entry was put in the member's log after one of {@code previousTerm}. */
  default void appended(SimulatedMember member, long previousTerm, Entry entry) {}

  /** The member became leader. */
  default void elected(SimulatedMember member, long term) {}

  /** The member's commit index rose. */
  default void committed(SimulatedMember member, long from, long to) {}

  /** The member's state machine applied an entry. */
  default void applied(SimulatedMember member, Entry entry) {}

  /** The member's state machine took the state of a snapshot. */
  default void restored(SimulatedMember member, long index, long digest) {}

  /** A message left the member. */
  default void sent(SimulatedMember member, Message message) {}

  /** The member's disk lost an entry to another one or to a snapshot. */
  default void overwritten(SimulatedMember member, Entry entry) {}

  /** A leader put a new configuration in its log. */
  default void reconfigured(SimulatedMember member, Configuration before, Configuration after) {}

  default void proposed(SimulatedMember member, long id) {}

  default void acknowledged(SimulatedMember member, long id, long index) {}

  /** A proposal was said to be certainly not applied. */
  default void denied(SimulatedMember member, long id) {}

  default void readAsked(SimulatedMember member, long id) {}

  /** A read was answered from the member's applied state. */
  default void readAnswered(SimulatedMember member, long id) {}
}
