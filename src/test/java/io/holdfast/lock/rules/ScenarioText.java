package io.holdfast.lock.rules;

import io.holdfast.lock.Holder;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Waiter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats the values of a lock for its scenarios. */
final class ScenarioText {

  private ScenarioText() {}

  static String event(LockEvent event) {
    return event.match(
        new LockEvent.Cases<>() {
          @Override
          public String granted(LockEvent.Granted granted) {
            return "granted to " + holder(granted.holder());
          }

          @Override
          public String reentered(LockEvent.Reentered reentered) {
            return "reentered, token %s, count %d".formatted(reentered.token(), reentered.count());
          }

          @Override
          public String steppedOut(LockEvent.SteppedOut out) {
            return "stepped out, token %s, count %d".formatted(out.token(), out.count());
          }

          @Override
          public String aged(LockEvent.Aged aged) {
            return "aged, token %s, silent for %d ms"
                .formatted(aged.token(), aged.aged().toMillis());
          }

          @Override
          public String queued(LockEvent.Queued queued) {
            return "queued " + waiter(queued.waiter());
          }

          @Override
          public String left(LockEvent.Left left) {
            return request(left.request()) + " left the queue, " + words(left.cause());
          }

          @Override
          public String barred(LockEvent.Barred barred) {
            return request(barred.request()) + " barred";
          }

          @Override
          public String freed(LockEvent.Freed freed) {
            return "freed, token " + freed.token() + " " + ending(freed.ending());
          }

          @Override
          public String handedOver(LockEvent.HandedOver event) {
            return "handed over, token %s %s, to %s"
                .formatted(event.token(), ending(event.ending()), holder(event.next()));
          }

          @Override
          public String forgotten(LockEvent.Forgotten forgotten) {
            return "forgotten";
          }
        });
  }

  static String outcome(Outcome outcome) {
    return outcome.match(
        new Outcome.Cases<>() {
          @Override
          public String acquired(Outcome.Acquired acquired) {
            return "acquired %s, token %s%s"
                .formatted(
                    words(acquired.manner()),
                    acquired.token(),
                    acquired.isHeld() ? count(acquired.count()) : ", ended since");
          }

          @Override
          public String waiting(Outcome.Waiting waiting) {
            return "waiting at " + waiting.position();
          }

          @Override
          public String released(Outcome.Released released) {
            return "released token %s%s%s"
                .formatted(
                    released.token(),
                    released.count() == 0 ? "" : ", count " + released.count(),
                    repeated(released.repeated()));
          }

          @Override
          public String withdrawn(Outcome.Withdrawn withdrawn) {
            return "withdrawn " + request(withdrawn.request());
          }

          @Override
          public String cancelled(Outcome.Cancelled cancelled) {
            return cancelled.dropped()
                ? "cancelled, dropped from the queue"
                : cancelled.released() == null
                    ? "cancelled"
                    : "cancelled, released token " + cancelled.released();
          }

          @Override
          public String forced(Outcome.Forced forced) {
            return "forced " + forced.tokens() + repeated(forced.repeated());
          }

          @Override
          public String orphansRemoved(Outcome.OrphansRemoved removed) {
            return "orphans removed";
          }

          @Override
          public String refused(Outcome.Refused refused) {
            return "refused: " + refusal(refused.refusal());
          }
        });
  }

  private static String refusal(Refusal refusal) {
    return refusal.match(
        new Refusal.Cases<>() {
          @Override
          public String held(Refusal.Held held) {
            return "held by " + holder(held.holder());
          }

          @Override
          public String queueFull(Refusal.QueueFull full) {
            return full.max() + " wait already";
          }

          @Override
          public String limitReached(Refusal.LimitReached limit) {
            return "%d already: %s".formatted(limit.max(), limit.limit());
          }

          @Override
          public String countFull(Refusal.CountFull full) {
            return "entered " + full.max() + " times already";
          }

          @Override
          public String notHolder(Refusal.NotHolder not) {
            return "token " + not.token() + " is not held, " + heldBy(not.holder());
          }

          @Override
          public String notWaiting(Refusal.NotWaiting not) {
            return request(not.request()) + " does not wait";
          }

          @Override
          public String requestReused(Refusal.RequestReused reused) {
            return "request " + request(reused.request()) + " came before with other content";
          }

          @Override
          public String requestForgotten(Refusal.RequestForgotten forgotten) {
            return "request " + request(forgotten.request()) + " is forgotten";
          }

          @Override
          public String leaseGone(Refusal.LeaseGone gone) {
            return "lease " + gone.lease() + " has ended";
          }

          @Override
          public String leftQueue(Refusal.LeftQueue left) {
            return "%s at %d, %s%s"
                .formatted(
                    words(left.cause()),
                    left.position(),
                    heldBy(left.holder()),
                    repeated(left.repeated()));
          }

          @Override
          public String noToken(Refusal.NoToken noToken) {
            return "no token";
          }
        });
  }

  static String recorded(RecordedOutcome recorded) {
    return recorded.match(
        new RecordedOutcome.Cases<>() {
          @Override
          public String granted(RecordedOutcome.Granted granted) {
            return "granted token " + granted.token();
          }

          @Override
          public String notGranted(RecordedOutcome.NotGranted not) {
            return "not granted, %s at %d".formatted(words(not.cause()), not.position());
          }

          @Override
          public String released(RecordedOutcome.Released released) {
            return "released token %s, count %d".formatted(released.token(), released.count());
          }

          @Override
          public String forced(RecordedOutcome.Forced forced) {
            return "forced " + forced.tokens();
          }
        });
  }

  static String state(LockState state) {
    String queue = String.join(", ", state.waiters().stream().map(w -> w.id().value()).toList());
    return state.holder().map(ScenarioText::held).orElse("free")
        + (queue.isEmpty() ? "" : "; queue: " + queue);
  }

  private static String held(Holder holder) {
    return "held by %s (%s)%s%s"
        .formatted(
            holder.id().value(),
            holder.token(),
            count(holder.count()),
            holder.aged().isZero() ? "" : ", silent for %d ms".formatted(holder.aged().toMillis()));
  }

  static String request(RequestId id) {
    return id.match(
        new RequestId.Cases<>() {
          @Override
          public String named(RequestId.Named named) {
            return named.value();
          }

          @Override
          public String numbered(RequestId.Numbered numbered) {
            return numbered.session() + "#" + numbered.number();
          }

          @Override
          public String once(RequestId.Once once) {
            return "once";
          }

          @Override
          public String cancelling(RequestId.Cancelling cancelling) {
            return "cancelling " + request(cancelling.of());
          }
        });
  }

  private static String heldBy(@Nullable Holder holder) {
    return holder == null ? "held by nobody" : "held by " + holder(holder);
  }

  private static String holder(Holder holder) {
    return "%s, token %s, ttl %s%s"
        .formatted(holder.id().value(), holder.token(), holder.life(), count(holder.count()));
  }

  private static String waiter(Waiter waiter) {
    return "%s, ttl %s, for %s".formatted(waiter.id().value(), waiter.life(), waiter.waitTimeout());
  }

  private static String ending(GrantEnding ending) {
    return words(ending.cause())
        + (ending.forceReason().isEmpty() ? "" : " (" + ending.forceReason() + ")");
  }

  private static String count(int count) {
    return count == 1 ? "" : " x" + count;
  }

  private static String repeated(boolean repeated) {
    return repeated ? ", repeated" : "";
  }

  private static String words(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
