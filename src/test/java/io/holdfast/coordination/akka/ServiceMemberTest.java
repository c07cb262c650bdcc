package io.holdfast.coordination.akka;

import static io.holdfast.coordination.akka.AgreedSystems.get;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.cluster.Cluster;
import akka.cluster.Member;
import akka.coordination.lease.javadsl.LeaseProvider;
import io.holdfast.coordination.akka.AgreedSystems.Place;
import io.holdfast.coordination.hosting.FollowersActor;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A service that is a member of the nodes' Akka cluster, and follows their log. */
@Tag("slow")
class ServiceMemberTest {

  private static final int NODES = 3;

  private final AgreedSystems systems = new AgreedSystems(NODES);
  private final ServiceSystem service = new ServiceSystem(99);
  private final List<String> contacts =
      IntStream.range(0, NODES)
          .mapToObj(node -> systems.place(node).cluster().selfAddress().toString())
          .toList();

  ServiceMemberTest() {
    for (int node = 0; node < NODES; node++) {
      FollowersActor.open(systems.place(node).system, systems.place(node).node);
    }
  }

  @AfterEach
  void stop() {
    service.close();
    systems.close();
  }

  @Test
  void it_has_a_session_and_joins_and_knows_what_the_nodes_know() {
    systems.enter(0, 1, 2);
    get(service.enter(contacts));
    SessionId own = Objects.requireNonNull(service.coordination.session().live());
    Place node = systems.place(1);
    awaitMember(node, true);
    Session seen =
        eventually(
                "joined, as the nodes see it",
                AgreedSystems.WITHIN,
                () -> node.session(own),
                session -> session.filter(Session::isJoined).isPresent())
            .orElseThrow();
    assertTrue(seen.isService());
    assertTrue(service.coordination.session().mayAct());
    assertTrue(get(node.node.shards().acquire(ShardId.of(3), lost -> {})));
    eventually(
        "the owner of a shard, as the service sees it",
        AgreedSystems.WITHIN,
        () -> service.coordination.owners().of(ShardId.of(3)),
        owner -> owner.isPresent() && owner.get().member() == node.id.value());
  }

  @Test
  void it_gets_no_lease_of_a_shard() {
    LeaseProvider leases = LeaseProvider.get(service.system);
    assertThrows(
        Exception.class,
        () -> leases.getLease("holdfast-shard-lock-3", "holdfast.lease", "a service"));
  }

  @Test
  void it_waits_for_somebody_to_join_and_forms_nothing() {
    var joined = service.enter(contacts).toCompletableFuture();
    systems.place(0).open();
    eventually(
        "its session",
        AgreedSystems.WITHIN,
        () -> systems.place(0).node.read(state -> state.sessions().size()),
        sessions -> sessions == 2);
    assertFalse(joined.isDone());
    assertEquals(0L, systems.place(0).node.<Long>read(CoordinationState::joinings));
    systems.enter(1);
    get(joined);
  }

  @Test
  void a_service_whose_session_has_ended_is_downed_and_ends() {
    systems.enter(0, 1);
    get(service.enter(contacts));
    awaitMember(systems.place(0), true);
    SessionId own = Objects.requireNonNull(service.coordination.session().live());
    systems.place(0).propose(new CoordinationCommand.CloseSession(own));
    awaitMember(systems.place(0), false);
    get(service.system.getWhenTerminated());
    // It may be cut off before it hears of the end of its session.
    eventually(
        "it may act",
        AgreedSystems.WITHIN,
        () -> service.coordination.session().mayAct(),
        mayAct -> !mayAct);
  }

  @Test
  void it_follows_by_another_node_when_its_node_is_gone() {
    systems.enter(0, 1, 2);
    get(service.enter(contacts.subList(0, 1))); // of the others it hears by following
    Place first = systems.place(0);
    systems.log.lead(systems.place(1).id);
    first.system.terminate();
    get(first.system.getWhenTerminated());
    SessionId own = Objects.requireNonNull(service.coordination.session().live());
    long renewal = systems.place(1).session(own).orElseThrow().renewal();
    eventually(
        "ten renewals more",
        AgreedSystems.WITHIN,
        () -> systems.place(1).session(own).map(Session::renewal).orElse(-1L),
        now -> now > renewal + 10 || now < 0);
    assertTrue(service.coordination.session().mayAct());
  }

  @Test
  void it_leaves_a_node_that_hears_from_no_majority() {
    systems.enter(0, 1, 2);
    get(service.enter(contacts));
    systems.log.lead(systems.place(1).id);
    SessionId own = Objects.requireNonNull(service.coordination.session().live());
    systems.log.cutOff(systems.place(0).id);
    long renewal = systems.place(1).session(own).orElseThrow().renewal();
    eventually(
        "ten renewals more",
        AgreedSystems.WITHIN,
        () -> systems.place(1).session(own).map(Session::renewal).orElse(-1L),
        now -> now > renewal + 10 || now < 0);
    assertTrue(service.coordination.session().mayAct());
  }

  @Test
  void without_a_majority_it_waits_is_not_downed_and_goes_on() {
    systems.enter(0, 1);
    get(service.enter(contacts));
    systems.log.majority(false);
    eventually(
        "it may not act",
        AgreedSystems.WITHIN,
        service.coordination.session()::mayAct,
        may -> !may);
    awaitMember(systems.place(0), true);
    systems.log.majority(true);
    eventually(
        "it may act again",
        AgreedSystems.WITHIN,
        service.coordination.session()::mayAct,
        may -> may);
  }

  private void awaitMember(Place node, boolean is) {
    String address = service.address();
    eventually(
        "the service is " + (is ? "" : "no ") + "member",
        AgreedSystems.WITHIN,
        () -> {
          List<String> up = new ArrayList<>();
          for (Member member : Cluster.get(node.system).state().getMembers()) {
            up.add(member.address() + " " + member.status());
          }
          return up;
        },
        members -> members.contains(address + " Up") == is);
  }
}
