package io.holdfast.raft.core;

import java.util.ArrayList;
import java.util.List;

/** Drives one core on a log in memory, and collects what it says. */
final class CoreDriver {

  static final MemberId A = new MemberId(1);
  static final MemberId B = new MemberId(2);
  static final MemberId C = new MemberId(3);
  static final Formation THREE =
      new Formation(
          7, 48, 0, List.of(Member.voter(A, ""), Member.voter(B, ""), Member.voter(C, "")));
  static final Formation ONE = new Formation(7, 48, 0, List.of(Member.voter(A, "")));

  final MemoryLog log = new MemoryLog();
  final RaftCore core;
  final List<Message> sent = new ArrayList<>();
  final List<ProposalOutcome> outcomes = new ArrayList<>();
  final List<ReadOutcome> reads = new ArrayList<>();
  final List<Entry> applied = new ArrayList<>();

  CoreDriver(Settings settings) {
    core = new RaftCore(A, settings, 1, log, HardState.NEW, 1, 0);
  }

  /** A core that belongs to the cluster. */
  static CoreDriver founded(Settings settings, Formation formation) {
    CoreDriver driver = new CoreDriver(settings);
    driver.core.form(formation);
    driver.settle();
    return driver;
  }

  /** A core that leads a cluster of its own. */
  static CoreDriver alone(Settings settings) {
    CoreDriver driver = founded(settings, ONE);
    driver.core.tick(driver.core.nextTickMs());
    driver.settle();
    return driver;
  }

  /** A core that follows B in term 2. */
  static CoreDriver follower(Settings settings) {
    CoreDriver driver = founded(settings, THREE);
    driver.hearFromB(1);
    return driver;
  }

  void hearFromB(long round) {
    core.receive(new Message.Heartbeat(B, A, 2, 0, round));
    settle();
  }

  /** Carries out everything at once, on a disk that takes no time. */
  void settle() {
    for (Ready ready = core.ready(); ready != null; ready = core.ready()) {
      log.append(ready.entries());
      sent.addAll(ready.sendNow());
      sent.addAll(ready.sendWhenDurable());
      applied.addAll(ready.committed());
      outcomes.addAll(ready.outcomes());
      reads.addAll(ready.reads());
      core.persisted(ready.number());
    }
  }

  /** The newest message of a kind. */
  <M extends Message> M newest(Class<M> kind) {
    return sent.stream().filter(kind::isInstance).map(kind::cast).reduce((a, b) -> b).orElseThrow();
  }
}
