package io.holdfast.coordination.akka;

import akka.actor.AbstractActorWithTimers;
import akka.actor.ExtendedActorSystem;
import akka.actor.Props;
import akka.cluster.Cluster;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.UniqueAddress;
import akka.remote.RemoteActorRefProvider;
import akka.remote.artery.ThisActorSystemQuarantinedEvent;
import io.holdfast.coordination.member.CoordinationReplica.Applied;
import io.holdfast.coordination.member.MemberCoordination;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.EndedSession;
import io.holdfast.coordination.state.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * The actor that carries out what the log has decided about nodes: whose session has ended is
 * quarantined and downed, and a node that has no session any more ends itself.
 */
final class Downing extends AbstractActorWithTimers {

  private static final Logger log = LoggerFactory.getLogger(Downing.class);

  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  /** A member without a session here is downed after this time: this node's log may be behind. */
  private static final long UNKNOWN_FOR_MS = 3_000;

  /** These sessions have ended. */
  private record Ended(List<EndedSession> sessions) {}

  /** This node has to end. */
  private record EndSelf(String reason) {}

  private enum Look {
    NOW
  }

  private final MemberCoordination coordination;
  private final Cluster cluster = Cluster.get(getContext().getSystem());
  private final Map<UniqueAddress, Long> withoutSession = new HashMap<>();
  private final ReachabilityView view;
  private final HostDuties duties;
  private boolean ends;
  private Runnable stopListening = () -> {};

  private Downing(CoordinationAccess access) {
    coordination = access.coordination();
    view = new ReachabilityView(cluster, coordination);
    duties = access.duties(getContext());
  }

  static Props props(CoordinationAccess access) {
    return Props.create(Downing.class, () -> new Downing(access));
  }

  @Override
  public void preStart() {
    stopListening = coordination.listen(this::applied);
    var unused = coordination.session().ended().thenAccept(reason -> tell(new EndSelf(reason)));
    getContext()
        .getSystem()
        .eventStream()
        .subscribe(getSelf(), ThisActorSystemQuarantinedEvent.class);
    getTimers().startTimerWithFixedDelay(Look.NOW, Look.NOW, LOOK_EVERY);
  }

  @Override
  public void postStop() {
    stopListening.run();
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(Ended.class, ended -> ended.sessions.forEach(this::ended))
        .match(EndSelf.class, self -> endSelf(self.reason))
        .match(
            ThisActorSystemQuarantinedEvent.class,
            event -> endSelf("another node does not speak with it any more"))
        .matchEquals(Look.NOW, look -> look())
        .build();
  }

  /** On coordination's thread. */
  private void applied(List<Applied> batch) {
    List<EndedSession> ended = new ArrayList<>();
    batch.forEach(each -> ended.addAll(each.verdict().ended()));
    if (!ended.isEmpty()) {
      tell(new Ended(ended));
    }
  }

  private void ended(EndedSession ended) {
    down(ended.session());
    duties.sessionEnded(nowMs());
  }

  private void down(Session session) {
    for (Member member : members()) {
      boolean isSame =
          member.uniqueAddress().longUid() == session.akkaUid()
              && member.address().toString().equals(session.akkaAddress());
      if (isSame && !member.uniqueAddress().equals(cluster.selfUniqueAddress())) {
        down(member.uniqueAddress(), session.id() + " has ended");
      }
    }
  }

  /* Without the quarantine Akka waits for its own failure detector, which takes seconds more. */
  private void down(UniqueAddress node, String reason) {
    log.warn("{} is down: {}", node.address(), reason);
    RemoteActorRefProvider remoting =
        (RemoteActorRefProvider) ((ExtendedActorSystem) getContext().getSystem()).provider();
    remoting.quarantine(node.address(), Option.apply(node.longUid()), reason);
    cluster.down(node.address());
  }

  /** Looks for what came while this node was behind, or before it belonged. */
  private void look() {
    long now = nowMs();
    if (!coordination.session().mayAct()) {
      withoutSession.clear();
      return;
    }
    Set<UniqueAddress> unknown = new HashSet<>();
    Set<String> alive = coordination.read(Downing::alive);
    for (Member member : members()) {
      UniqueAddress node = member.uniqueAddress();
      boolean isSelf = node.equals(cluster.selfUniqueAddress());
      if (!isSelf && !alive.contains(name(node.address().toString(), node.longUid()))) {
        unknown.add(node);
      }
    }
    withoutSession.keySet().retainAll(unknown);
    for (UniqueAddress node : unknown) {
      if (now - withoutSession.computeIfAbsent(node, first -> now) >= UNKNOWN_FOR_MS) {
        down(node, "it has no session");
      }
    }
    view.look(now);
    duties.look(now);
  }

  private static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }

  private void endSelf(String reason) {
    if (!ends) {
      ends = true;
      log.error("this node leaves: {}", reason);
      cluster.down(cluster.selfAddress());
    }
  }

  private List<Member> members() {
    List<Member> members = new ArrayList<>();
    for (Member member : cluster.state().getMembers()) {
      if (!member.status().equals(MemberStatus.removed())
          && !member.status().equals(MemberStatus.down())) {
        members.add(member);
      }
    }
    return members;
  }

  private static Set<String> alive(CoordinationState state) {
    return state.sessions().stream()
        .map(session -> name(session.akkaAddress(), session.akkaUid()))
        .collect(Collectors.toSet());
  }

  private static String name(String address, long uid) {
    return address + "#" + uid;
  }

  private void tell(Object message) {
    getSelf().tell(message, getSelf());
  }
}
