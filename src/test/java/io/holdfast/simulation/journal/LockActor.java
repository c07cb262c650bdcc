package io.holdfast.simulation.journal;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.state.AnsweredRequest;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.Replay;
import io.holdfast.journal.state.RequestKey;
import io.holdfast.journal.state.Verdict;
import io.holdfast.lock.FencingToken;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of one lock's actor: made under one epoch, which it keeps for its life, however
 * long it outlives it. It stops at a refusal, and at the end of its key.
 */
final class LockActor {

  private static final int MAX_IN_FLIGHT = 3;
  private static final int STATE_AFTER = 5;

  private final JournalWorld world;
  private final NodeProcess node;
  private final Holding held;
  private final String key;
  private final ShardId shard;
  private final Epoch epoch;
  private final SplittableRandom chance;
  private LockView view = LockView.NEW;
  private long lastSequenceNr;
  private int sinceState;
  private int inFlight;
  private @Nullable FencingToken spare; // the ownership may end before it is used
  private boolean recovered;
  private boolean stopped;

  LockActor(
      JournalWorld world, NodeProcess node, Holding held, String key, SplittableRandom chance) {
    this.world = world;
    this.node = node;
    this.held = held;
    this.key = key;
    this.chance = chance;
    shard = ShardId.of(held.ownership().shard().value());
    epoch = held.ownership().epoch();
    var unused =
        node.store().settled(shard).thenAccept(version -> world.guard(() -> recover(version)));
  }

  private void recover(JournalVersion version) {
    Replay replay = version.replay(shard, new PersistenceId(key), 1);
    view = world.view(replay);
    lastSequenceNr = version.highestSequenceNr(shard, new PersistenceId(key)).orElse(0);
    sinceState = world.changes(replay.events()).size();
    recovered = true;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Does what some client asks for. */
  void act(long nowMs) {
    int most = world.manners().pipeline() ? MAX_IN_FLIGHT : 1;
    if (stopped || !recovered || inFlight >= most || chance.nextInt(3) == 0) {
      return;
    }
    if (spare == null) {
      spare = held.owned().nextToken().orElse(null);
    }
    if (!view.isHeld()) {
      List<Change> grant = new ArrayList<>();
      grant(grant);
      append(grant, /* isLast= */ false);
    } else if (chance.nextInt(4) == 0) {
      end(Change.Kind.RELEASED);
    }
  }

  /** The grant's time is over by the node's clock. */
  void expire(long token) {
    if (stopped || !recovered || inFlight > 0) {
      return;
    }
    Holding.Deadline deadline = held.deadlines().get(key);
    if (deadline == null || deadline.token() != token) {
      return;
    }
    if (view.token() == token) {
      held.deadlines().put(key, deadline.ending());
      end(Change.Kind.EXPIRED);
    } else {
      held.deadlines().remove(key);
    }
  }

  private void end(Change.Kind kind) {
    List<Change> changes = new ArrayList<>();
    changes.add(change(kind, view.client(), view.token(), view.ttlMs()));
    boolean isWanted = chance.nextInt(3) == 0;
    if (isWanted) {
      grant(changes);
    }
    boolean isUnwanted = !isWanted && world.manners().forget() && chance.nextBoolean();
    append(changes, /* isLast= */ isUnwanted);
  }

  private void grant(List<Change> changes) {
    FencingToken token = spare != null ? spare : held.owned().nextToken().orElse(null);
    spare = null;
    if (token != null) {
      int ttlMs = 100 + chance.nextInt(400);
      changes.add(change(Change.Kind.GRANTED, chance.nextInt(Clients.COUNT), token.value(), ttlMs));
    }
  }

  private Change change(Change.Kind kind, int client, long token, int ttlMs) {
    return world.change(key, kind, client, token, ttlMs, held.ownership());
  }

  private void append(List<Change> changes, boolean isLast) {
    if (changes.isEmpty()) {
      return;
    }
    LockView after = view;
    List<AnsweredRequest> answers = new ArrayList<>();
    List<LeaseLife> leases = new ArrayList<>();
    for (Change change : changes) {
      after = after.after(change);
      if (change.kind() == Change.Kind.GRANTED && !world.manners().pipeline()) {
        RequestKey request = world.clients().request(change.client(), alive(), chance);
        // Outcomes of named requests are never forgotten here: they would fill what room there is.
        if (!world.manners().isShortOfRoom() || request instanceof RequestKey.Numbered) {
          answers.add(new AnsweredRequest(request, Change.event(List.of(change))));
        }
        leases.addAll(Clients.any(alive(), chance));
      }
    }
    List<LeaseLife> detach = isLast ? List.of() : without(alive(), leases);
    boolean hasState = !isLast && (sinceState >= STATE_AFTER || chance.nextInt(3) == 0);
    Bytes state = hasState ? after.toBytes() : null;
    PublicChange seen =
        isLast
            ? new PublicChange.Absent(Bytes.EMPTY)
            : new PublicChange.Set(parts(after, leases), Bytes.EMPTY);
    long number = ++lastSequenceNr;
    view = after;
    sinceState = hasState ? 0 : sinceState + changes.size();
    inFlight++;
    stopped |= isLast;
    boolean asks = changes.stream().anyMatch(change -> change.kind() == Change.Kind.GRANTED);
    Need need = asks ? Need.ROOM : Need.NOTHING;
    Epoch epoch = this.epoch;
    var unused =
        node.store()
            .append(
                shard,
                epoch,
                appendId ->
                    new Append(
                        appendId,
                        new PersistenceId(key),
                        number,
                        Change.event(changes),
                        state,
                        new Draft(
                            List.of(seen),
                            null,
                            leases,
                            detach,
                            answers,
                            leases,
                            isLast,
                            0,
                            need,
                            /* waiters= */ 0)))
            .whenComplete(
                (verdict, failure) -> world.guard(() -> decided(changes, verdict, failure)));
  }

  private static List<LeaseLife> without(List<LeaseLife> some, List<LeaseLife> others) {
    List<LeaseLife> rest = new ArrayList<>(some);
    rest.removeAll(others);
    return rest;
  }

  /** Now and then what is to be seen ends with a lease that the grant needs. */
  private static List<Part> parts(LockView view, List<LeaseLife> leases) {
    boolean hangs = view.count() % 4 == 1 && !leases.isEmpty();
    return List.of(new Part(view.toBytes(), hangs ? leases.get(0) : null));
  }

  private List<LeaseLife> alive() {
    return LeaseActor.alive(node.store().version());
  }

  private void decided(
      List<Change> changes, @Nullable Verdict verdict, @Nullable Throwable failure) {
    inFlight--;
    if (verdict instanceof Verdict.Applied) {
      world.tell(each -> each.acknowledged(changes));
      changes.forEach(this::promise);
      if (world.isCalm()) {
        held.serves();
      }
      return;
    }
    stopped = true;
    if (verdict != null) {
      if (world.isCalm() && isFull(verdict)) {
        held.serves(); // that is an answer, too: free locks of others keep their room here
      }
      world.tell(each -> each.refused(changes, verdict));
    } else if (failure instanceof RuntimeException unexpected
        && !(failure instanceof JournalStore.StoreFull)) {
      throw unexpected;
    }
  }

  /** Asked alone: a ladder over the verdicts would have to name them all. */
  private static boolean isFull(Verdict verdict) {
    return verdict instanceof Verdict.StateFull;
  }

  private void promise(Change change) {
    if (change.kind() == Change.Kind.GRANTED) {
      long atMs = node.clock().nowMs() + change.ttlMs();
      held.deadlines().put(key, new Holding.Deadline(change.token(), change.ttlMs(), atMs));
    } else {
      Holding.Deadline deadline = held.deadlines().get(key);
      if (deadline != null && deadline.token() == change.token()) {
        held.deadlines().remove(key);
      }
    }
  }
}
