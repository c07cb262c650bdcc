package io.holdfast.lock;

import java.util.List;
import java.util.Map;

/** The decision about one command that comes alone. */
record Alone(Batch batch) {

  static Alone decide(LockMachine machine, LockState state, LockCommand command, Given given) {
    return new Alone(machine.decide(state, List.of(command), given));
  }

  private Decision decision() {
    return batch.decisions().get(0);
  }

  Outcome outcome() {
    return decision().outcome();
  }

  boolean kept() {
    return decision().kept();
  }

  List<LockEvent> events() {
    return batch.events();
  }

  List<Batch.Notice> notices() {
    return batch.notices();
  }

  Map<RequestId, Settled> settled() {
    return batch.settled();
  }
}
