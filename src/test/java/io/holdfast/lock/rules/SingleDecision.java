package io.holdfast.lock.rules;

import io.holdfast.lock.Decision;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestId;
import java.util.List;
import java.util.Map;

/** The decision about a single command. */
record SingleDecision(Batch batch) {

  static SingleDecision decide(
      LockMachine machine, LockState state, LockCommand command, DecisionContext given) {
    return new SingleDecision(machine.decide(state, List.of(command), given));
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

  Map<RequestId, RecordedOutcome> recorded() {
    return batch.recorded();
  }
}
