package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseId;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.simulation.Scheduler;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client that asks by single calls and by a session of its own making: a model, which does also
 * what the real client never does.
 */
final class ClientProcess implements LivingClient {

  private static final int MAX_HANDLES = 2;

  private final ClusterLocks locks;
  private final String name;
  private final SplittableRandom chance;
  private final ClientHost host;
  private final List<Handle> handles = new ArrayList<>();
  private final ClientSession session;
  private final List<Call> calls = new ArrayList<>();
  private final Map<RequestId, Integer> copies = new HashMap<>();
  private final Set<String> keys = new TreeSet<>();
  private @Nullable ClusterTenant speaksTo;
  private @Nullable LastRound round;
  private long requests;

  ClientProcess(ClusterLocks locks, String name, SplittableRandom chance) {
    this.locks = locks;
    this.name = name;
    this.chance = chance;
    host = new ClientHost(locks, name, chance);
    session = new ClientSession(this);
    int count = 1 + chance.nextInt(MAX_HANDLES);
    for (int i = 0; i < count; i++) {
      handles.add(new Handle(this, "h" + i, session));
    }
  }

  @Override
  public void begin() {
    if (chance.nextInt(3) > 0) {
      session.begin();
    }
    handles.forEach(Handle::rest);
  }

  /** Something of this process happens later; if it stands still then, once it goes on. */
  @Override
  public void later(long delayUs, Object what, Runnable action) {
    host.later(delayUs, what, action);
  }

  @Override
  public void pause(long forUs) {
    host.pause(forUs);
  }

  @Override
  public void die() {
    host.die();
    List.copyOf(calls).forEach(Call::hangUp);
  }

  /** One of its handles begins to ask for this key. */
  void asksFor(String key) {
    keys.add(key);
  }

  @Override
  public void askOnceMore() {
    LastRound made = new LastRound(this, session, keys);
    round = made;
    later(0, "asks once more for " + keys, made::begin);
  }

  @Override
  public @Nullable String unserved() {
    LastRound last = round;
    return last == null || last.isOver() ? null : last.toString();
  }

  @Override
  public void closeSession() {
    session.close();
  }

  @Override
  public void eachBelief(Consumer<Belief> look) {
    for (int i = 0; i < handles.size(); i++) {
      look.accept(handles.get(i));
      look.accept(handles.get(i).twin());
    }
  }

  boolean isDead() {
    return host.isDead();
  }

  // ------------------------------------------------------------------ what it asks for

  /** The node it speaks to; now and then another one. */
  private @Nullable ClusterTenant node() {
    ClusterTenant now = speaksTo;
    if (now == null || !now.isRunning() || chance.nextInt(5) == 0) {
      now = locks.anyTenant(chance);
      speaksTo = now;
    }
    return now;
  }

  private <A> Consumer<A> answering(Consumer<A> told) {
    return answer -> {
      if (!host.isLost()) {
        later(host.wireUs(), new Scheduler.Words("is told", answer), () -> told.accept(answer));
      }
    };
  }

  private void call(Object what, Consumer<ClusterTenant> action) {
    ClusterTenant to = node();
    if (to != null && !host.isLost()) {
      to.later(host.wireUs(), words(what), () -> action.accept(to));
    }
  }

  private Scheduler.Words words(Object asked) {
    return new Scheduler.Words(name, new Scheduler.Words("asks", asked));
  }

  /** A single call to a node, which waits for its answer. */
  final class Call {
    private final CompletableFuture<Void> nobodyWaits = new CompletableFuture<>();
    private @Nullable ClusterTenant at;
    private boolean isOver;

    /** Nobody waits for its answer any more, and its node hears of that. */
    void hangUp() {
      isOver = true;
      calls.remove(this);
      ClusterTenant node = at;
      if (node != null) {
        node.later(host.wireUs(), name + " hangs up", () -> nobodyWaits.complete(null));
      }
    }
  }

  /** Has a lock do something. */
  Call ask(String key, LockCommand command, long number, long lowestOpen, Consumer<Outcome> told) {
    long sentUs = locks.world().nowUs();
    Consumer<LockAnswer> answering =
        answering(
            answer -> {
              locks.tell(each -> each.told(key, command, answer.outcome()));
              locks.tell(each -> each.heard(key, command, answer, sentUs));
              told.accept(answer.outcome());
            });
    command.id().ifPresent(id -> copies.merge(id, 1, Integer::sum));
    Call call = new Call();
    call(
        command,
        at -> {
          if (call.isOver) {
            return; // it was broken off on its way
          }
          if (command instanceof LockCommand.Acquire acquire) {
            locks.tell(each -> each.asked(acquire));
          }
          call.at = at;
          calls.add(call);
          if (number > 0) {
            at.requests()
                .ask(new LockKey(key), command, number, lowestOpen, call.nobodyWaits, answering);
          } else {
            ask(at, key, command, call, answering);
          }
          if (isDead()) {
            call.hangUp();
          }
        });
    return call;
  }

  private void ask(
      ClusterTenant at,
      String key,
      LockCommand command,
      Call call,
      Consumer<LockAnswer> answering) {
    CompletableFuture<LockAnswer> outcome =
        at.requests().ask(new LockKey(key), command, call.nobodyWaits).toCompletableFuture();
    var unused =
        outcome.whenComplete(
            (answer, failure) -> {
              calls.remove(call);
              if (answer != null) {
                answering.accept(answer);
              } else {
                abandoned(at, key, command);
              }
            });
    var unusedToo =
        call.nobodyWaits.thenRun(
            () -> {
              if (!outcome.isDone()) {
                abandoned(at, key, command);
              }
            });
  }

  /** Nobody can ask for the outcome of a request without an id: its node ends it. */
  private void abandoned(ClusterTenant at, String key, LockCommand command) {
    if (command instanceof LockCommand.Acquire acquire && !acquire.request().id().isRepeatable()) {
      locks.count("abandoned");
      locks.tell(each -> each.givenBack(key, acquire.request().id(), at::runsSinceUs));
    }
  }

  /**
   * True if this client has sent a request more than once: the refusal of one copy says nothing of
   * another, which may be on its way by another node.
   */
  boolean hasCopies(RequestHeader request) {
    return copies.getOrDefault(request.id(), 0) > 1;
  }

  /** Has a lease do something. */
  void ask(LeaseId lease, LeaseCommand command, Consumer<LeaseAnswer> told) {
    Consumer<LeaseAnswer> answering = answering(told);
    call(
        command,
        at -> {
          var unused = at.requests().ask(lease, command).thenAccept(answering);
        });
  }

  void renew(Renewal renewal, Consumer<Renewal.Answer> told) {
    long sentUs = locks.world().nowUs();
    Consumer<Renewal.Answer> answering =
        answering(
            answer -> {
              locks.tell(each -> each.judged(renewal, answer, sentUs));
              told.accept(answer);
            });
    call(renewal, at -> at.locksHere().renew(renewal, answering));
  }

  void write(String key, long token, Consumer<Boolean> told) {
    host.write(key, token, told);
  }

  // ------------------------------------------------------------------ what its parts need

  ClientId id() {
    return new ClientId(name);
  }

  /** A new request without an id: its node makes one, which the client does not know. */
  RequestHeader nameless(long content) {
    return new RequestHeader(new RequestId.Once(id(), chance.nextLong()), content);
  }

  /** A new request under a name. */
  RequestHeader named(long content) {
    return new RequestHeader(new RequestId.Named(id(), "r" + ++requests), content);
  }

  long nowMs() {
    return host.nowMs();
  }

  ClusterLocks locks() {
    return locks;
  }

  SplittableRandom chance() {
    return chance;
  }

  List<Handle> handles() {
    return handles;
  }

  @Override
  public String toString() {
    return name;
  }

  /** The rest of a ttl after the margin for clocks that do not run alike. */
  static long surelyMs(long ttlMs) {
    return ttlMs - Math.max(50, ttlMs / 50);
  }
}
