package io.holdfast.raft.node;

import io.holdfast.raft.ConsensusLog.StateMachine;
import io.holdfast.raft.LogProgress;
import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.link.ImplausibleMessage;
import io.holdfast.raft.link.LinkEvents;
import io.holdfast.raft.link.Peer;
import io.holdfast.raft.link.PeerLinks;
import io.holdfast.raft.log.WriteAheadLog;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The one thread of a member. It waits for the network and for callers, passes their inputs to the
 * core, and carries out the core's reactions.
 */
final class Driver implements LinkEvents {

  /** The most requests that are given to the core before it reacts; more go into the next turn. */
  private static final int REQUESTS_A_TURN = 1024;

  /** A sync is slow if it takes the time between heartbeats divided by this, or longer. */
  private static final int SLOW_OF_HEARTBEAT = 5;

  private final LongSupplier nowMs;
  private final RaftCore core;
  private final WriteAheadLog log;
  private final StateMachine machine;
  private final PeerLinks links;
  private final Inputs inputs;
  private final Enrolment enrolment;
  private final SnapshotTaking snapshots;
  private final Syncing syncing;
  private final Reactions reactions;
  private final LeaderRequests leaderRequests;
  private final SegmentPreparing preparing;
  private final OpenCalls<ProposalOutcome> proposals = new OpenCalls<>();
  private final OpenCalls<ReadOutcome> reads = new OpenCalls<>();

  private Configuration knownConfiguration = Configuration.NONE;
  private boolean belongs;
  private volatile Leadership leadership;
  private volatile List<Member> members = List.of();
  private volatile boolean stopping;

  Driver(
      NodeSettings settings,
      FoundingPlan plan,
      String ownAddress,
      RaftCore core,
      WriteAheadLog log,
      StateMachine machine,
      RaftNode.Linking linking,
      LongSupplier nowMs)
      throws IOException {
    this.nowMs = nowMs;
    this.core = core;
    this.log = log;
    this.machine = machine;
    leadership = core.leadership();
    links = linking.open(this);
    inputs = new Inputs(settings.maxQueuedRequests(), links);
    enrolment = new Enrolment(plan, ownAddress, settings.foundingEveryMs(), core, links);
    snapshots =
        new SnapshotTaking(settings.snapshotAfterBytes(), core, log, machine, links::wakeup);
    syncing =
        new Syncing(
            log,
            links::wakeup,
            System::nanoTime,
            settings.core().heartbeatMs() / SLOW_OF_HEARTBEAT,
            settings.toleratedSyncMs());
    reactions =
        new Reactions(
            core, new NodeHost(log, syncing, links, machine, snapshots, proposals, reads));
    leaderRequests = new LeaderRequests(core);
    preparing = new SegmentPreparing(log, "raft-segments");
  }

  /** Works until {@link #stop}, or until something fails. */
  void run() {
    try {
      preparing.start();
      syncing.start();
      react();
      while (!stopping) {
        turn();
      }
    } finally {
      preparing.stop();
      syncing.stop();
      inputs.close();
      proposals.endAll(ProposalOutcome::unknown);
      reads.endAll(number -> ReadOutcome.refused(number, RaftRefusal.STOPPED));
      leaderRequests.abandon();
      try {
        links.close();
      } finally {
        log.close();
      }
    }
  }

  /** Asks the thread to end. */
  void stop() {
    stopping = true;
    links.wakeup();
  }

  private void turn() {
    links.poll(waitMs());
    inputs.awake();
    tick();
    for (int i = 0; i < REQUESTS_A_TURN; i++) {
      Inputs.Input input = inputs.next();
      if (input == null) {
        break;
      }
      tick();
      input.carryOut();
    }
    if (enrolment.isOpen()) {
      enrolment.tick(nowMs.getAsLong());
    }
    syncing.adopt();
    snapshots.adoptWritten(nowMs.getAsLong());
    react();
    snapshots.takeIfDue(nowMs.getAsLong());
  }

  private long waitMs() {
    if (!inputs.fallAsleep()) {
      return 0;
    }
    long next = core.nextTickMs();
    if (enrolment.isOpen()) {
      next = Math.min(next, enrolment.nextMs());
    }
    return Math.max(0, next - nowMs.getAsLong());
  }

  private void react() {
    for (Ready ready = core.ready(); ready != null; ready = core.ready()) {
      reactions.carryOut(ready);
      if (ready.leadership() != null) {
        leadership = ready.leadership();
      }
    }
    preparing.prepareIfNeeded();
    if (reactions.isAllDurable()) {
      enrolment.synced();
    }
    follow(core.configuration());
    leaderRequests.settle(nowMs.getAsLong());
  }

  private void follow(Configuration configuration) {
    Formation formation = core.formation();
    if (!belongs && formation != null) {
      belongs = true;
      links.belongTo(formation.clusterId());
    }
    if (configuration.equals(knownConfiguration)) {
      return;
    }
    knownConfiguration = configuration;
    links.keep(Peer.others(configuration, core.self()));
    members = configuration.members();
    machine.membersChanged(members);
  }

  /* The time is read for each input, after it was taken: the process may be frozen between two
  inputs, and a read that came meanwhile must not use the lease from before the freeze. */
  private void tick() {
    core.tick(nowMs.getAsLong());
  }

  // ------------------------------------------------------------------ what the links tell

  @Override
  public void received(Message message) {
    tick();
    if (core.isImplausible(message)) {
      throw new ImplausibleMessage(
          "term [%d] or a place of the log is out of reach".formatted(message.term()));
    }
    core.receive(message);
  }

  @Override
  public void connectionLost(MemberId peer) {
    tick();
    core.connectionLost(peer);
  }

  @Override
  public void peerGone(MemberId peer) {
    tick();
    core.peerGone(peer);
    machine.peerGone(peer);
  }

  @Override
  public byte[] asked(byte[] question) {
    tick();
    leaderRequests.settle(nowMs.getAsLong()); // before an admission begins the next change
    try {
      return enrolment.answer(question);
    } catch (IllegalArgumentException e) {
      return new byte[0]; // the answer to an unreadable question
    }
  }

  // ------------------------------------------------------------------ what callers ask

  void propose(byte[] payload, CompletableFuture<ProposalOutcome> call) {
    submit(
        new RefusableAction(
            () -> core.propose(proposals.begin(call), payload),
            refusal -> call.complete(ProposalOutcome.refused(0, refusal))));
  }

  void read(CompletableFuture<ReadOutcome> call) {
    submit(
        new RefusableAction(
            () -> core.read(reads.begin(call)),
            refusal -> call.complete(ReadOutcome.refused(0, refusal))));
  }

  void changeMembers(
      UnaryOperator<List<Member>> how, CompletableFuture<Optional<RaftRefusal>> call) {
    submit(
        new RefusableAction(
            () -> leaderRequests.changeMembers(how, nowMs.getAsLong(), call),
            refusal -> call.complete(Optional.of(refusal))));
  }

  void progress(CompletableFuture<LogProgress> call) {
    between(
        applied -> {
          Map<MemberId, Long> matches = new HashMap<>();
          if (core.leadership().leads()) {
            Peer.others(core.configuration(), core.self())
                .forEach(peer -> matches.put(peer.id(), core.matchOf(peer.id())));
          }
          List<String> troubles =
              Stream.of(snapshots.trouble(), preparing.trouble(), syncing.trouble())
                  .flatMap(Optional::stream)
                  .toList();
          return new LogProgress(core.commit(), applied, log.lastIndex(), matches, troubles);
        },
        call);
  }

  <T> void between(Function<Long, T> look, CompletableFuture<T> call) {
    submit(
        new RefusableAction(
            () -> {
              try {
                call.complete(look.apply(snapshots.appliedIndex()));
              } catch (RuntimeException e) {
                call.completeExceptionally(e); // the fault of the caller, not of the member
              }
            },
            refusal ->
                call.completeExceptionally(
                    new IllegalStateException("this member does not answer: " + refusal))));
  }

  void transferLeadership(
      MemberId successor, long withinMs, CompletableFuture<Optional<RaftRefusal>> call) {
    submit(
        new RefusableAction(
            () -> leaderRequests.transferLeadership(successor, nowMs.getAsLong() + withinMs, call),
            refusal -> call.complete(Optional.of(refusal))));
  }

  private void submit(RefusableAction request) {
    if (!inputs.offer(request)) {
      request.refusal.accept(RaftRefusal.QUEUE_FULL);
    }
  }

  private record RefusableAction(Runnable action, Consumer<RaftRefusal> refusal)
      implements Inputs.Input {

    @Override
    public void carryOut() {
      action.run();
    }

    @Override
    public void refuse() {
      refusal.accept(RaftRefusal.STOPPED);
    }
  }

  Leadership leadership() {
    return leadership;
  }

  List<Member> members() {
    return members;
  }

  int port() {
    return links.port();
  }
}
