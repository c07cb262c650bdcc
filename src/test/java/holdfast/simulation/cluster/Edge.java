package holdfast.simulation.cluster;

import akka.actor.typed.ActorRef;
import holdfast.entity.LockAnswer;
import holdfast.entity.ReplyTo;
import holdfast.entity.Resending;
import holdfast.entity.ShardMessage;
import holdfast.lock.Outcome;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/** The way from a node's clients to the actors: it asks again for as long as no answer comes. */
final class Edge {

  private static final long LOOK_AGAIN_US = 50_000;
  private static final int MAX_TIMES = 60;

  private final ClusterTenant tenant;

  Edge(ClusterTenant tenant) {
    this.tenant = tenant;
  }

  /**
   * Asks an actor, until the answer is the last one or nobody waits for it.
   *
   * @param takes is given every answer that comes; says whether it is the last one
   */
  <A> void ask(
      String name,
      Function<ActorRef<A>, ShardMessage> question,
      BooleanSupplier isWanted,
      Predicate<A> takes) {
    new Asking<>(name, question, isWanted, takes).begin();
  }

  private final class Asking<A> {
    private final String name;
    private final Function<ActorRef<A>, ShardMessage> question;
    private final BooleanSupplier isWanted;
    private final Predicate<A> takes;
    private final long begunAt = tenant.nanos();
    private final Resending resending = new Resending(begunAt);
    private boolean done;
    private int times;

    Asking(
        String name,
        Function<ActorRef<A>, ShardMessage> question,
        BooleanSupplier isWanted,
        Predicate<A> takes) {
      this.name = name;
      this.question = question;
      this.isWanted = isWanted;
      this.takes = takes;
    }

    void begin() {
      send(/* isFirst= */ true);
      lookLater();
    }

    private void lookLater() {
      tenant.later(LOOK_AGAIN_US, "looks at what it asks " + name, this::look);
    }

    private void look() {
      if (done || !isWanted.getAsBoolean() || times > MAX_TIMES) {
        done = true;
        return;
      } else if (resending.isDue(tenant.nanos())) {
        times++;
        send(/* isFirst= */ false);
      }
      lookLater();
    }

    private void send(boolean isFirst) {
      ClusterTenant owner = tenant.ownerOf(tenant.locksHere().shardOf(name));
      if (owner != null) {
        ClusterTenant to = owner;
        ReplyTo<A> replyTo =
            new ReplyTo<>(
                answer -> tenant.locks().send(to, tenant, answer, () -> answered(answer)));
        ShardMessage first = question.apply(replyTo);
        ShardMessage message =
            isFirst ? first : first.after((tenant.nanos() - begunAt) / 1_000_000);
        tenant.locks().send(tenant, to, message, () -> to.receive(name, message));
      }
    }

    private void answered(A answer) {
      boolean isOutcome =
          !(answer instanceof LockAnswer ofLock)
              || ofLock.outcome() instanceof Outcome.Waiting
              || resending.isOutcome(ofLock);
      if (!done && isOutcome) {
        done = takes.test(answer);
      }
    }
  }
}
