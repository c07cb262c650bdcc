package io.holdfast.simulation.cluster;

import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.lock.Holder;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.simulation.Scheduler;
import io.holdfast.simulation.journal.JournalInvariant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Tells in plain English what becomes of locks, each line with its virtual time. */
final class Narrator implements ClusterInvariant, JournalInvariant {

  private final Scheduler scheduler;
  private final Consumer<String> out;
  private final Map<Long, Long> owners = new HashMap<>();
  private final Map<Integer, Long> nodes = new HashMap<>();

  Narrator(Scheduler scheduler, Consumer<String> out) {
    this.scheduler = scheduler;
    this.out = out;
  }

  void say(String what) {
    out.accept(String.format(Locale.ROOT, "%7.3f s  %s", scheduler.nowUs() / 1e6, what));
  }

  @Override
  public void happened(Step step) {
    step.ended().ifPresent(ended -> say(ended(step, ended)));
    step.granted().ifPresent(holder -> say(granted(step.key(), holder)));
    if (step.event() instanceof LockEvent.Queued entered) {
      say(entered.waiter().id().client().value() + " waits in the queue of [" + step.key() + "].");
    }
  }

  private static String ended(Step step, Step.Ended ended) {
    String who = ended.holder().id().client().value();
    return switch (ended.ending().cause()) {
      case EXPIRED ->
          "Nothing was heard from " + who + " for its ttl: its grant of [" + step.key() + "] ends.";
      case RELEASED -> who + " has given [" + step.key() + "] back.";
      default -> "The grant of " + who + " has ended: " + ended.ending().cause() + ".";
    };
  }

  private static String granted(String key, Holder holder) {
    return holder.id().client().value()
        + " is granted ["
        + key
        + "] under the fencing token "
        + holder.token().value()
        + ".";
  }

  @Override
  public void wrote(String key, long token, boolean isAccepted) {
    say(
        isAccepted
            ? "The store takes a write to [" + key + "] under " + token + "."
            : "The store refuses a write under " + token + ": it has seen a larger token.");
  }

  @Override
  public void coordinated(CoordinationVerdict verdict) {
    if (verdict instanceof CoordinationVerdict.Opened opened) {
      owners.put(opened.session().id().value(), opened.session().member().value());
    } else if (verdict instanceof CoordinationVerdict.Acquired acquired) {
      long node = owners.getOrDefault(acquired.session().value(), 0L);
      Long before = nodes.put(acquired.shard().value(), node);
      if (before != null && before != node) {
        say("Node " + node + " takes over what node " + before + " was the owner of.");
      }
    }
  }

  @Override
  public void ended() {}
}
