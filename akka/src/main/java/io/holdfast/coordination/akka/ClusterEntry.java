package io.holdfast.coordination.akka;

import akka.Done;
import akka.actor.ActorSystem;
import akka.actor.Address;
import akka.actor.AddressFromURIString;
import akka.actor.Cancellable;
import akka.cluster.Cluster;
import io.holdfast.coordination.member.MemberCoordination;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationRefusal;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.ShardTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's way into the Akka cluster: it forms the cluster if the log says that it may, or joins
 * those who have joined.
 *
 * <p>A node that has begun to join never forms: its forming might come late, and tear it out of the
 * cluster that it has joined meanwhile.
 */
public final class ClusterEntry {

  private static final Logger log = LoggerFactory.getLogger(ClusterEntry.class);

  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private final ActorSystem system;
  private final Cluster cluster;
  private final MemberCoordination coordination;
  private final SessionId own;
  private final boolean mayForm;
  private final CompletableFuture<Done> entered = new CompletableFuture<>();
  private final AtomicReference<@Nullable Cancellable> looking = new AtomicReference<>();

  /** The joined sessions that were there at the first look, with their last renewal then. */
  private @Nullable Map<SessionId, Long> before;

  private FormationId formation = FormationId.NONE;
  private List<Address> joining = List.of();
  private boolean isAsking;
  private boolean isUp;

  private ClusterEntry(
      ActorSystem system, MemberCoordination coordination, SessionId own, boolean mayForm) {
    this.system = system;
    cluster = Cluster.get(system);
    this.coordination = coordination;
    this.own = own;
    this.mayForm = mayForm;
  }

  /**
   * The command by which a process opens its session.
   *
   * @param roles in Raft and beyond
   * @param terms by which it finds the shard of a key
   * @param stateCapacity the bytes of state that it has room for; 0 if it does not say
   */
  public static CoordinationCommand.OpenSession opening(
      ActorSystem system,
      io.holdfast.coordination.state.NodeId member,
      long incarnation,
      Set<NodeRole> roles,
      int ttlMs,
      ShardTerms terms,
      long stateCapacity) {
    akka.cluster.UniqueAddress self = Cluster.get(system).selfUniqueAddress();
    return new CoordinationCommand.OpenSession(
        member,
        incarnation,
        self.address().toString(),
        self.longUid(),
        roles,
        ttlMs,
        terms,
        stateCapacity);
  }

  /**
   * Begins. The stage completes when the node is up and the log knows it, and fails if the cluster
   * that it has joined is not the cluster any more.
   */
  public static CompletionStage<Done> begin(
      ActorSystem system, MemberCoordination coordination, SessionId own) {
    return begin(system, coordination, own, /* mayForm= */ true);
  }

  /** As {@link #begin}, for a service: it waits until there is somebody to join. */
  static CompletionStage<Done> beginOfService(
      ActorSystem system, MemberCoordination coordination, SessionId own) {
    return begin(system, coordination, own, /* mayForm= */ false);
  }

  private static CompletionStage<Done> begin(
      ActorSystem system, MemberCoordination coordination, SessionId own, boolean mayForm) {
    ClusterEntry entry = new ClusterEntry(system, coordination, own, mayForm);
    entry.cluster.registerOnMemberUp(entry::up);
    entry.looking.set(
        system
            .scheduler()
            .scheduleWithFixedDelay(Duration.ZERO, LOOK_EVERY, entry::look, system.dispatcher()));
    var unused = entry.entered.whenComplete((done, failure) -> entry.stop());
    return entry.entered;
  }

  private void stop() {
    Cancellable current = looking.get();
    if (current != null) {
      current.cancel();
    }
  }

  private synchronized void up() {
    isUp = true;
    look();
  }

  private synchronized void look() {
    if (isAsking || entered.isDone()) {
      return;
    } else if (isUp) {
      markJoined();
    } else {
      coordination.read(
          state -> {
            if (formation.equals(FormationId.NONE)) {
              decide(state);
            } else {
              watch(state);
            }
            return true;
          });
    }
  }

  /** Tries again if the member that it joins leaves, or dies, before it is in. */
  private void watch(CoordinationState state) {
    boolean formed = state.session(own).map(Session::isJoined).orElse(false);
    List<Session> left =
        state.sessions().stream()
            .filter(session -> session.formation().equals(formation) && !session.id().equals(own))
            .toList();
    if (!formed && left.isEmpty()) {
      entered.completeExceptionally(
          new IllegalStateException("the members that it wanted to join have ended"));
    } else if (!formed) {
      join(left);
    }
  }

  private void decide(CoordinationState state) {
    Session self = state.session(own).orElse(null);
    if (self == null) {
      return; // not applied here yet, or ended: then the node ends anyway
    } else if (self.isJoined()) {
      formation = state.formation();
      log.info("forms the cluster, as its first node");
      cluster.join(cluster.selfAddress());
      return;
    }
    List<Session> joined = state.sessions().stream().filter(Session::isJoined).toList();
    if (joined.isEmpty() && mayForm) {
      ask(new CoordinationCommand.FormCluster(own, state.joinings()));
    } else if (!joined.isEmpty()) {
      join(state.formation(), living(joined));
    }
  }

  /* After all nodes were killed the log still has their sessions for a while. Whoever lives renews
  its own soon; those of the dead are replaced or expire. */
  private List<Session> living(List<Session> joined) {
    if (before == null) {
      before = new HashMap<>();
      for (Session session : joined) {
        before.put(session.id(), session.renewal());
      }
    }
    List<Session> living = new ArrayList<>();
    for (Session session : joined) {
      Long seen = before.get(session.id());
      if (seen == null || session.renewal() > seen) {
        living.add(session);
      }
    }
    return living;
  }

  private void join(FormationId into, List<Session> living) {
    if (!living.isEmpty()) {
      formation = into;
      join(living);
    }
  }

  private void join(List<Session> living) {
    List<Address> addresses = new ArrayList<>();
    for (Session session : living) {
      addresses.add(AddressFromURIString.parse(session.akkaAddress()));
    }
    // An earlier process at its own address is nobody to join: Akka would take it for itself.
    addresses.remove(cluster.selfAddress());
    if (!addresses.isEmpty() && !addresses.equals(joining)) {
      joining = addresses;
      log.info("joins the cluster of {}", addresses);
      cluster.joinSeedNodes(addresses);
    }
  }

  private void markJoined() {
    ask(new CoordinationCommand.MarkJoined(own, formation));
  }

  private void ask(CoordinationCommand command) {
    isAsking = true;
    var unused =
        coordination
            .propose(command)
            .thenAcceptAsync(verdict -> answered(command, verdict), system.dispatcher());
  }

  private synchronized void answered(
      CoordinationCommand command, Optional<CoordinationVerdict> verdict) {
    isAsking = false;
    if (command instanceof CoordinationCommand.MarkJoined) {
      verdict.ifPresent(this::marked);
    }
  }

  private void marked(CoordinationVerdict verdict) {
    if (!(verdict instanceof CoordinationVerdict.Refused refused)) {
      entered.complete(Done.getInstance());
    } else if (refused.reason() != CoordinationRefusal.NOT_FOUNDED) {
      entered.completeExceptionally(
          new IllegalStateException("the cluster that was joined is gone: " + refused.detail()));
    }
  }
}
