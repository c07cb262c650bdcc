package holdfast.lock;

import holdfast.fixtures.Transcript;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays {@code scenarios/lock}: what a lock decides, event by event, readable as a specification.
 */
class LockScenarioTest {

  static List<Path> scenarios() {
    return Transcript.in("lock");
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void a_lock_does_as_its_scenario_says(Path scenario) {
    Transcript.play(scenario, new Interpreter()::run);
  }

  /**
   * Understands {@code acquire HOLDER [request=ID] [ttl=MS] [wait=MS]}, {@code release TOKEN},
   * {@code expire TOKEN}, {@code leave ID timed-out|cancelled}, and {@code max-waiters N}.
   */
  private static final class Interpreter {

    private LockMachine machine = new LockMachine(/* maxWaiters= */ 10);
    private LockState state = LockState.FREE;
    private long lastToken;

    String run(String line) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("max-waiters")) {
        machine = new LockMachine(Integer.parseInt(words[1]));
        return "at most " + words[1] + " wait";
      }
      Decision decision = machine.decide(state, command(words), new FencingToken(lastToken + 1));
      List<String> told = new ArrayList<>();
      for (LockEvent event : decision.events()) {
        state = state.apply(event);
        state.holders().forEach(h -> lastToken = Math.max(lastToken, h.token().value()));
        told.add("event    " + event(event));
      }
      told.add("outcome  " + outcome(decision.outcome()));
      decision
          .notices()
          .forEach(n -> told.add("tell     " + n.request().value() + ": " + outcome(n.outcome())));
      told.add("state    " + state(state));
      return String.join("\n", told);
    }

    private static LockCommand command(String[] words) {
      return switch (words[0]) {
        case "acquire" -> {
          Map<String, String> options = options(words);
          yield new LockCommand.Acquire(
              request(options.getOrDefault("request", "r-" + words[1])),
              new HolderId(ClientId.NAMELESS, words[1]),
              new Ttl(Long.parseLong(options.getOrDefault("ttl", "10000"))),
              new Patience(Long.parseLong(options.getOrDefault("wait", "0"))));
        }
        case "release" -> new LockCommand.Release(new FencingToken(Long.parseLong(words[1])));
        case "expire" -> new LockCommand.Expire(new FencingToken(Long.parseLong(words[1])));
        case "leave" ->
            new LockCommand.Leave(
                request(words[1]),
                words[2].equals("timed-out")
                    ? LockCommand.LeaveCause.TIMED_OUT
                    : LockCommand.LeaveCause.CANCELLED);
        default -> throw new IllegalArgumentException("no command [" + words[0] + "]");
      };
    }

    private static Map<String, String> options(String[] words) {
      Map<String, String> options = new HashMap<>();
      for (int i = 2; i < words.length; i++) {
        String[] option = words[i].split("=", 2);
        options.put(option[0], option[1]);
      }
      return options;
    }

    private static RequestId request(String id) {
      return new RequestId(ClientId.NAMELESS, id);
    }
  }

  private static String event(LockEvent event) {
    return event.match(
        new LockEvent.Cases<>() {
          @Override
          public String granted(LockEvent.Granted granted) {
            return "granted to " + holder(granted.holder());
          }

          @Override
          public String queued(LockEvent.Queued queued) {
            return "queued " + waiter(queued.waiter());
          }

          @Override
          public String left(LockEvent.Left left) {
            return left.request().value() + " left the line, " + words(left.cause());
          }

          @Override
          public String freed(LockEvent.Freed freed) {
            return "freed, token " + freed.token() + " " + words(freed.cause());
          }

          @Override
          public String handedOver(LockEvent.HandedOver event) {
            return "handed over, token %s %s, to %s"
                .formatted(event.token(), words(event.cause()), holder(event.next()));
          }

          @Override
          public String forgotten(LockEvent.Forgotten forgotten) {
            return "forgotten";
          }
        });
  }

  private static String outcome(Outcome outcome) {
    return outcome.match(
        new Outcome.Cases<>() {
          @Override
          public String acquired(Outcome.Acquired acquired) {
            return "acquired %s, token %s"
                .formatted(words(acquired.manner()), acquired.holder().token());
          }

          @Override
          public String waiting(Outcome.Waiting waiting) {
            return "waiting at " + waiting.position();
          }

          @Override
          public String released(Outcome.Released released) {
            return "released token " + released.token();
          }

          @Override
          public String withdrawn(Outcome.Withdrawn withdrawn) {
            return "withdrawn " + withdrawn.request().value();
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
          public String notHolder(Refusal.NotHolder notHolder) {
            return "token " + notHolder.token() + " is not held";
          }

          @Override
          public String notWaiting(Refusal.NotWaiting notWaiting) {
            return notWaiting.request().value() + " does not wait";
          }

          @Override
          public String requestReused(Refusal.RequestReused reused) {
            return "request " + reused.request().value() + " came before with other content";
          }

          @Override
          public String leftLine(Refusal.LeftLine left) {
            return "%s at %d, held by %s"
                .formatted(words(left.cause()), left.position(), holder(left.holder()));
          }

          @Override
          public String noToken(Refusal.NoToken noToken) {
            return "no token";
          }
        });
  }

  private static String state(LockState state) {
    String line = String.join(", ", state.waiters().stream().map(w -> w.id().value()).toList());
    return state
            .holder()
            .map(holder -> "held by " + holder.id().value() + " (" + holder.token() + ")")
            .orElse("free")
        + (line.isEmpty() ? "" : "; in line: " + line);
  }

  private static String holder(Holder holder) {
    return "%s, token %s, ttl %s".formatted(holder.id().value(), holder.token(), holder.ttl());
  }

  private static String waiter(Waiter waiter) {
    return "%s, ttl %s, for %s".formatted(waiter.id().value(), waiter.ttl(), waiter.patience());
  }

  private static String words(Enum<?> value) {
    return value.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }
}
