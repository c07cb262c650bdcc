package io.holdfast.grpc.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.grpc.StatusRuntimeException;
import io.holdfast.coordination.Administration;
import io.holdfast.coordination.AnswerFacts;
import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.NodeIdentity;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.grpc.call.ServingState;
import io.holdfast.grpc.watch.WatchRefusals;
import io.holdfast.id.Revision;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.v1.MemberAddRequest;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Addresses of new members at the admin endpoint. */
class AdminEndpointTest {

  private static final ActorSystem<Void> SYSTEM =
      ActorSystem.create(
          Behaviors.empty(),
          "administration",
          ConfigFactory.parseString("akka { loglevel = OFF, stdout-loglevel = OFF }")
              .withFallback(ConfigFactory.defaultReference())
              .resolve());

  private final Added administration = new Added();

  private final AdminEndpoint endpoint =
      new AdminEndpoint(
          administration,
          () -> CompletableFuture.failedFuture(new UnsupportedOperationException("copies")),
          () -> CompletableFuture.completedFuture(true),
          new Facts(),
          () -> 0,
          Optional::empty,
          "1.2.3",
          serving());

  @AfterAll
  static void stop() {
    SYSTEM.terminate();
  }

  @Test
  void a_member_with_a_valid_address_is_added() throws Exception {
    List<String> good =
        List.of("host:1", "10.0.0.4:7403", "[::1]:65535", "my_host:7403", "h".repeat(510) + ":1");
    for (String address : good) {
      add(address);
      CoordinationMachine machine = new CoordinationMachine(1);
      machine.founded(1, new Formation(77, 4, 0, List.of(Member.voter(new MemberId(1), "a:1"))));
      machine.configured(2, List.of(Member.learner(new MemberId(2), address)));
      assertEquals(
          List.of(address),
          machine.read(CoordinationState::members).stream().map(row -> row.address()).toList());
    }
    assertEquals(good, administration.added);
  }

  @Test
  void a_member_with_an_invalid_address_is_refused() {
    for (String address :
        List.of(
            "m\u00fcller:7400",
            "ho\u0001st:7400",
            "ho\u007fst:7400",
            "host:99999",
            "host:65536",
            "host:0",
            "host:\u0661",
            "host",
            "h".repeat(511) + ":1")) {
      ExecutionException failure = assertThrows(ExecutionException.class, () -> add(address));
      Refusal refusal =
          WatchRefusals.of(assertInstanceOf(StatusRuntimeException.class, failure.getCause()));
      assertEquals(Reason.REASON_OUT_OF_BOUND, refusal.getReason(), address);
      assertEquals("log_address", refusal.getField());
    }
    assertEquals(List.of(), administration.added);
  }

  private void add(String address) throws Exception {
    endpoint
        .memberAdd(MemberAddRequest.newBuilder().setLogAddress(address).build())
        .toCompletableFuture()
        .get(5, TimeUnit.SECONDS);
  }

  private static ServingState serving() {
    ServingState serving = ServingState.get(SYSTEM);
    serving.begin(() -> true);
    return serving;
  }

  /** Records the addresses that were accepted. */
  private static final class Added implements Administration {
    final List<String> added = new ArrayList<>();

    @Override
    public CompletionStage<ClusterView> view() {
      return CompletableFuture.completedFuture(
          new ClusterView(0, 0, 0, 0, 0, 0, 0, List.of(), List.of(), List.of()));
    }

    @Override
    public CompletionStage<Change> add(String address) {
      added.add(address);
      return CompletableFuture.completedFuture(new Change(2, /* changed= */ true));
    }

    @Override
    public CompletionStage<Change> promote(long member) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Change> remove(long member) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Change> transfer(long member) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Facts implements AnswerFacts {

    @Override
    public NodeIdentity identity() {
      return new NodeIdentity(11, 12);
    }

    @Override
    public Revision revision() {
      return new Revision(1);
    }

    @Override
    public long wallMs() {
      return 0;
    }

    @Override
    public long term() {
      return 5;
    }
  }
}
