package io.holdfast.lock.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands of one lock, given as text:
 *
 * <pre>
 * acquire HOLDER [request=ID] [ttl=MS | lease=ID@INCARNATION] [wait=MS] [reenter] [metadata=BYTES]
 * release TOKEN [request=ID] [all]
 * expire TOKEN
 * age TOKEN MILLISECONDS
 * leave ID timed-out|cancelled|lease-ended
 * cancel ID
 * force [TOKEN] reason=WORD [request=ID]
 * remove-orphans
 * </pre>
 *
 * An ID is a name, {@code once}, or {@code SESSION@INCARNATION#NUMBER}. Other commands: {@code
 * lease-ends ID@INCARNATION}, {@code tokens none|some}, {@code forget-requests} to drop all
 * recorded outcomes, and {@code max-waiters N}.
 */
final class LockInterpreter {

  private static final ClientId CLIENT = ClientId.NAMELESS;

  private final Set<LeaseLife> ended = new HashSet<>();
  private final Map<RequestId, RecordedOutcome> recorded = new HashMap<>();
  private LockMachine machine = new LockMachine(/* maxWaiters= */ 10);
  private LockState state = LockState.FREE;
  private boolean hasTokens = true;
  private long lastToken;
  private long once;

  String run(String line) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "max-waiters" -> {
        machine = new LockMachine(Integer.parseInt(words[1]));
        return "at most " + words[1] + " wait";
      }
      case "lease-ends" -> {
        ended.add(lease(words[1]));
        return "lease " + words[1] + " has ended";
      }
      case "tokens" -> {
        hasTokens = words[1].equals("some");
        return words[1].equals("some") ? "there are tokens" : "there are no tokens";
      }
      case "forget-requests" -> {
        recorded.clear();
        return "no outcome is kept";
      }
      default -> {
        return run(command(words));
      }
    }
  }

  private String run(LockCommand command) {
    SingleDecision decision = decide(command);
    List<String> told = new ArrayList<>();
    for (LockEvent event : decision.events()) {
      state = state.apply(event);
      state.holders().forEach(h -> lastToken = Math.max(lastToken, h.token().value()));
      told.add("event    " + ScenarioText.event(event));
    }
    told.add("outcome  " + ScenarioText.outcome(decision.outcome()));
    decision
        .notices()
        .forEach(
            notice ->
                told.add(
                    "tell     "
                        + ScenarioText.request(notice.request())
                        + ": "
                        + ScenarioText.outcome(notice.outcome())));
    decision
        .recorded()
        .forEach(
            (request, outcome) -> {
              assertNull(recorded.put(request, outcome), "two outcomes are recorded");
              told.add(
                  "recorded "
                      + ScenarioText.request(request)
                      + ": "
                      + ScenarioText.recorded(outcome));
            });
    assertEquals(state, decision.batch().after());
    told.add("state    " + ScenarioText.state(state));
    return String.join("\n", told);
  }

  private SingleDecision decide(LockCommand command) {
    DecisionContext oneToken = given(new FencingToken(lastToken + 1));
    SingleDecision with = SingleDecision.decide(machine, state, command, oneToken);
    SingleDecision without = SingleDecision.decide(machine, state, command, given(null));
    if (without.outcome().equals(new Outcome.Refused(new Refusal.NoToken()))) {
      assertTrue(without.events().isEmpty() && without.recorded().isEmpty());
    } else {
      assertEquals(with, without, "a token that was not needed made a difference");
    }
    return hasTokens ? with : without;
  }

  private DecisionContext given(@Nullable FencingToken token) {
    return new DecisionContext(
        token,
        /* revision= */ new Revision(0),
        ended::contains,
        request -> Optional.ofNullable(recorded.get(request)));
  }

  private LockCommand command(String[] words) {
    Map<String, String> options = new HashMap<>();
    Arrays.stream(words)
        .skip(1)
        .map(word -> word.split("=", 2))
        .forEach(option -> options.put(option[0], option[option.length - 1]));
    return switch (words[0]) {
      case "acquire" -> acquire(words[1], words, options);
      case "release" ->
          new LockCommand.Release(
              request(options.getOrDefault("request", "once"), words),
              token(words[1]),
              options.containsKey("all"));
      case "expire" -> new LockCommand.Expire(token(words[1]));
      case "age" ->
          new LockCommand.Age(token(words[1]), Duration.ofMillis(Long.parseLong(words[2])));
      case "leave" ->
          new LockCommand.Leave(
              id(words[1]),
              LockCommand.LeaveCause.valueOf(
                  words[2].toUpperCase(java.util.Locale.ROOT).replace('-', '_')));
      case "cancel" -> new LockCommand.Cancel(id(words[1]));
      case "force" ->
          new LockCommand.Force(
              request(options.getOrDefault("request", "once"), words),
              words[1].contains("=") ? null : token(words[1]),
              options.getOrDefault("reason", ""));
      case "remove-orphans" -> new LockCommand.RemoveOrphans();
      default -> throw new IllegalArgumentException("no command [" + words[0] + "]");
    };
  }

  private LockCommand acquire(String name, String[] words, Map<String, String> options) {
    Ttl ttl = new Ttl(Long.parseLong(options.getOrDefault("ttl", "10000")));
    String on = options.get("lease");
    Lifetime life = on == null ? new Lifetime.Own(ttl) : new Lifetime.Shared(lease(on), ttl);
    return new LockCommand.Acquire(
        request(options.getOrDefault("request", "r-" + name), words),
        new HolderId(CLIENT, life.lease().map(LeaseLife::id).orElse(null), name),
        life,
        new WaitTimeout(Long.parseLong(options.getOrDefault("wait", "0"))),
        options.containsKey("reenter"),
        Metadata.of(new byte[Integer.parseInt(options.getOrDefault("metadata", "0"))]),
        options.containsKey("copy"));
  }

  /** Returns a request. Its content is all words but the timeout and the mark of a copy. */
  private RequestHeader request(String id, String[] words) {
    ContentHash content = new ContentHash();
    Arrays.stream(words)
        .filter(word -> !word.startsWith("wait=") && !word.equals("copy"))
        .forEach(content::and);
    return new RequestHeader(id(id), content.value());
  }

  private RequestId id(String id) {
    if (id.equals("once")) {
      return new RequestId.Once(CLIENT, ++once);
    } else if (id.startsWith("once-")) {
      return new RequestId.Once(CLIENT, Long.parseLong(id.substring(5)));
    }
    String[] parts = id.split("#", 2);
    return parts.length == 1
        ? new RequestId.Named(CLIENT, id)
        : new RequestId.Numbered(CLIENT, lease(parts[0]), Long.parseLong(parts[1]));
  }

  private static FencingToken token(String token) {
    return new FencingToken(Long.parseLong(token));
  }

  private static LeaseLife lease(String name) {
    String[] parts = name.split("@", 2);
    return LeaseLife.of(
        new LeaseId(Long.parseLong(parts[0])), new Revision(Long.parseLong(parts[1])));
  }
}
