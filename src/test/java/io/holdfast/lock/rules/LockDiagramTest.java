package io.holdfast.lock.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.Waiter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Draws the states of a lock as the machine has them, and compares the drawing with that in {@code
 * docs/architecture.md}. {@code -Drewrite=true} writes it there.
 */
class LockDiagramTest {

  private static final Path DOCUMENT = Path.of("docs", "architecture.md");
  private static final String BEGIN = "<!-- the states of a lock, drawn by a test: begin -->\n";
  private static final String END = "<!-- end -->";

  private static final LeaseLife ENDED = LeaseLife.of(new LeaseId(7), new Revision(20));
  private static final Lifetime DEAD = new Lifetime.Shared(ENDED, new Ttl(1_000));
  private static final Lifetime ALIVE = new Lifetime.Own(new Ttl(1_000));

  @Test
  void the_document_shows_the_states_of_the_machine() throws IOException {
    String document = Files.readString(DOCUMENT);
    int begin = document.indexOf(BEGIN) + BEGIN.length();
    int end = document.indexOf(END, begin);
    if (Boolean.getBoolean("rewrite")) {
      Files.writeString(
          DOCUMENT, document.substring(0, begin) + drawing() + document.substring(end));
    } else {
      assertEquals(document.substring(begin, end), drawing());
    }
  }

  private static String drawing() {
    Map<String, TreeSet<String>> ways = new TreeMap<>();
    for (LockState state : states()) {
      for (LockCommand command : commands()) {
        LockState now = state;
        for (LockEvent event : decide(state, command).events()) {
          LockState next = now.apply(event);
          ways.computeIfAbsent(name(now) + " --> " + name(next), way -> new TreeSet<>())
              .add(event.getClass().getSimpleName());
          now = next;
        }
      }
    }
    StringBuilder drawing = new StringBuilder("```mermaid\nstateDiagram-v2\n    [*] --> Free\n");
    ways.forEach(
        (way, events) -> drawing.append("    %s: %s\n".formatted(way, String.join(", ", events))));
    return drawing + "    Free --> [*]: Forgotten\n```\n";
  }

  private static String name(LockState state) {
    return state.isFree() ? "Free" : state.waiters().isEmpty() ? "Held" : "Contended";
  }

  private static SingleDecision decide(LockState state, LockCommand command) {
    return SingleDecision.decide(
        new LockMachine(/* maxWaiters= */ 3),
        state,
        command,
        new DecisionContext(
            new FencingToken(9), new Revision(0), ENDED::equals, request -> Optional.empty()));
  }

  /** A holder of each kind before a queue of each kind. */
  private static List<LockState> states() {
    List<LockState> states = new ArrayList<>(List.of(LockState.FREE));
    List<Holder> holders = List.of(holder(ALIVE, 1), holder(ALIVE, 2), holder(DEAD, 1));
    List<List<Waiter>> queues = new ArrayList<>(List.of(List.of()));
    for (Lifetime first : List.of(ALIVE, DEAD)) {
      queues.add(List.of(waiter("bert", first)));
      queues.add(List.of(waiter("bert", first), waiter("carl", ALIVE)));
      queues.add(List.of(waiter("bert", first), waiter("carl", DEAD)));
    }
    holders.forEach(
        holder -> queues.forEach(queue -> states.add(new LockState(List.of(holder), queue))));
    return states;
  }

  private static List<LockCommand> commands() {
    List<LockCommand> commands = new ArrayList<>();
    for (String name : List.of("anna", "bert", "dora")) {
      for (WaitTimeout waitTimeout : List.of(WaitTimeout.NONE, new WaitTimeout(1_000))) {
        commands.add(
            new LockCommand.Acquire(
                request("again-" + name), id(name), ALIVE, waitTimeout, true, Metadata.NONE));
      }
      commands.add(new LockCommand.Leave(request(name).id(), LockCommand.LeaveCause.TIMED_OUT));
      commands.add(new LockCommand.Cancel(request(name).id()));
    }
    FencingToken token = new FencingToken(1);
    commands.add(new LockCommand.Release(request("release"), token, /* all= */ false));
    commands.add(new LockCommand.Release(request("release"), token, /* all= */ true));
    commands.add(new LockCommand.Expire(token));
    commands.add(new LockCommand.Age(token, Duration.ofMillis(500)));
    commands.add(new LockCommand.Force(request("force"), null, "stuck"));
    commands.add(new LockCommand.RemoveOrphans());
    return commands;
  }

  private static Holder holder(Lifetime life, int count) {
    return new Holder(id("anna"), request("anna"), new FencingToken(1), life, count, Metadata.NONE);
  }

  private static Waiter waiter(String name, Lifetime life) {
    return new Waiter(id(name), request(name), life, new WaitTimeout(1_000), Metadata.NONE, 1);
  }

  private static HolderId id(String name) {
    return HolderId.of(ClientId.NAMELESS, name);
  }

  private static RequestHeader request(String name) {
    return new RequestHeader(new RequestId.Named(ClientId.NAMELESS, name), /* content= */ 1);
  }
}
