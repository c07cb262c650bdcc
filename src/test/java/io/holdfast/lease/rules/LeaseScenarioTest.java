package io.holdfast.lease.rules;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.holdfast.fixtures.Transcript;
import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plays {@code scenarios/lease}: what a shared lease decides, readable as a specification. */
class LeaseScenarioTest {

  static List<Path> scenarios() {
    return Transcript.in("lease");
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void a_lease_does_as_its_scenario_says(Path scenario) {
    Transcript.play(scenario, new Interpreter()::run);
  }

  /**
   * Understands {@code grant REQUEST [ttl=MS]}, {@code revoke REQUEST [INCARNATION]}, {@code expire
   * INCARNATION}, and {@code forget-requests}. A request is a name, {@code once}, or {@code
   * once-again} for a copy of the last such one. Each event has a revision, 10 after the one
   * before.
   */
  private static final class Interpreter {

    private final Map<RequestId, RecordedLeaseOutcome> recorded = new HashMap<>();
    private LeaseState state = LeaseState.NONE;
    private Revision incarnation = Revision.NONE;
    private long revision;
    private long once;

    String run(String line) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("forget-requests")) {
        recorded.clear();
        return "no outcome is kept";
      }
      LeaseMachine.Decision decision =
          LeaseMachine.decide(
              state, incarnation, command(words), id -> Optional.ofNullable(recorded.get(id)));
      LeaseEvent event = decision.event();
      LeaseOutcome outcome = decision.outcome();
      String told = outcome == null ? "" : "outcome  " + outcome(outcome) + "\n";
      if (event != null) {
        assertNull(outcome, "an event's outcome is known with its revision");
        state = state.apply(event);
        revision += 10;
        incarnation = state.isAlive() ? new Revision(revision) : Revision.NONE;
        told += "event    " + event(event) + " at revision " + revision + "\n";
      }
      RecordedLeaseOutcome kept = decision.recorded();
      RequestId request = decision.request();
      if (kept != null && request != null) {
        assertNull(recorded.put(request, kept), "two outcomes are recorded");
        String name = request instanceof RequestId.Named named ? named.value() : "once";
        told += "recorded " + name + ": " + recorded(kept) + "\n";
      }
      return told + "state    " + (state.isAlive() ? "alive @" + incarnation : "not there");
    }

    private LeaseCommand command(String[] words) {
      return switch (words[0]) {
        case "grant" ->
            new LeaseCommand.Grant(
                request(words),
                LeaseTerms.of(
                    words.length > 2 ? Long.parseLong(words[2].substring(4)) : 10_000,
                    ClientId.NAMELESS,
                    /* session= */ false));
        case "revoke" ->
            new LeaseCommand.Revoke(
                request(words), new Revision(words.length > 2 ? Long.parseLong(words[2]) : 0));
        case "expire" -> new LeaseCommand.Expire(new Revision(Long.parseLong(words[1])));
        default -> throw new IllegalArgumentException("no command [" + words[0] + "]");
      };
    }

    private RequestHeader request(String[] words) {
      ContentHash content = new ContentHash();
      Arrays.stream(words).filter(word -> !word.startsWith("once")).forEach(content::and);
      return new RequestHeader(
          switch (words[1]) {
            case "once" -> new RequestId.Once(ClientId.NAMELESS, ++once);
            case "once-again" -> new RequestId.Once(ClientId.NAMELESS, once);
            default -> new RequestId.Named(ClientId.NAMELESS, words[1]);
          },
          content.value());
    }
  }

  private static String event(LeaseEvent event) {
    return event.match(
        new LeaseEvent.Cases<>() {
          @Override
          public String granted(LeaseEvent.Granted granted) {
            return "granted, ttl " + granted.terms().ttl();
          }

          @Override
          public String ended(LeaseEvent.Ended ended) {
            return "ended, " + ended.cause().name().toLowerCase(Locale.ROOT);
          }
        });
  }

  private static String outcome(LeaseOutcome outcome) {
    if (outcome instanceof LeaseOutcome.Granted granted) {
      return "granted @%s, ttl %s%s"
          .formatted(granted.incarnation(), granted.ttl(), repeated(granted.repeated()));
    } else if (outcome instanceof LeaseOutcome.Ended ended) {
      return "ended" + repeated(ended.repeated());
    } else if (outcome instanceof LeaseOutcome.Refused refused) {
      return "refused: " + refused.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
    throw new AssertionError(outcome);
  }

  private static String recorded(RecordedLeaseOutcome recorded) {
    return recorded instanceof RecordedLeaseOutcome.Granted granted
        ? "granted, ttl " + granted.ttl()
        : "revoked";
  }

  private static String repeated(boolean repeated) {
    return repeated ? ", repeated" : "";
  }
}
