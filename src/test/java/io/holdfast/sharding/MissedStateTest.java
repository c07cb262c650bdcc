package io.holdfast.sharding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.persistence.typed.EventAdapter;
import akka.persistence.typed.EventSeq;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.SnapshotSelectionCriteria;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import akka.persistence.typed.javadsl.Recovery;
import akka.persistence.typed.javadsl.SignalHandler;
import com.typesafe.config.ConfigFactory;
import io.holdfast.entity.GatedStore;
import io.holdfast.journal.FencedEvent;
import io.holdfast.journal.HoldfastJournal;
import io.holdfast.journal.HoldfastSnapshots;
import io.holdfast.journal.JournalAccess;
import io.holdfast.journal.state.Draft;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Tests that a recovery fails without the state that replaced its events, and that a decision is
 * one event.
 */
class MissedStateTest {

  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString("akka.actor.provider = local")
              .withFallback(ConfigFactory.load()));
  private static final GatedStore STORE = new GatedStore();

  static {
    JournalAccess.get(Adapter.toClassic(KIT.system())).open(STORE, name -> GatedStore.SHARD);
  }

  private final TestProbe<String> probe = KIT.createTestProbe(String.class);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @Test
  void events_without_the_state_before_them_fail_the_recovery() {
    ActorRef<String> writer = start(SnapshotSelectionCriteria.latest());
    assertEquals("recovered ", probe.receiveMessage());
    for (String text : new String[] {"a", "b", "C", "d"}) {
      writer.tell(text); // the upper-case one has the state
      probe.receiveMessage();
    }
    KIT.stop(writer);
    ActorRef<String> reader = start(SnapshotSelectionCriteria.latest());
    assertEquals("recovered abCd", probe.receiveMessage());
    KIT.stop(reader);
    ActorRef<String> without = start(SnapshotSelectionCriteria.none());
    probe.expectTerminated(without);
    probe.expectNoMessage(Duration.ZERO);
  }

  @Test
  void several_events_at_once_are_rejected() {
    ActorRef<String> writer = start("two texts", SnapshotSelectionCriteria.latest());
    assertEquals("recovered ", probe.receiveMessage());
    writer.tell("a,b");
    probe.expectTerminated(writer);
    probe.expectNoMessage(Duration.ZERO);
  }

  private ActorRef<String> start(SnapshotSelectionCriteria loaded) {
    return start("texts", loaded);
  }

  private ActorRef<String> start(String id, SnapshotSelectionCriteria loaded) {
    return KIT.spawn(Behaviors.setup(context -> new Texts(id, loaded, probe.getRef())));
  }

  /** Adds each text to its state, and reports it. */
  private static final class Texts extends EventSourcedBehavior<String, String, String> {

    private final SnapshotSelectionCriteria loaded;
    private final ActorRef<String> told;
    private String state = "";

    Texts(String id, SnapshotSelectionCriteria loaded, ActorRef<String> told) {
      super(PersistenceId.ofUniqueId(id));
      this.loaded = loaded;
      this.told = told;
    }

    @Override
    public String emptyState() {
      return "";
    }

    @Override
    public CommandHandler<String, String, String> commandHandler() {
      return (now, text) -> Effect().persist(List.of(text.split(","))).thenRun(told::tell);
    }

    @Override
    public EventHandler<String, String> eventHandler() {
      return (now, text) -> state = now + text;
    }

    @Override
    public SignalHandler<String> signalHandler() {
      return newSignalHandlerBuilder()
          .onSignal(
              RecoveryCompleted.instance(),
              now -> {
                state = now;
                told.tell("recovered " + now);
              })
          .build();
    }

    @Override
    public Recovery recovery() {
      return Recovery.withSnapshotSelectionCriteria(loaded);
    }

    @Override
    public String journalPluginId() {
      return HoldfastJournal.pluginId(GatedStore.SHARD);
    }

    @Override
    public String snapshotPluginId() {
      return HoldfastSnapshots.PLUGIN_ID;
    }

    @Override
    public EventAdapter<String, Object> eventAdapter() {
      return new Adaption();
    }

    private final class Adaption extends EventAdapter<String, Object> {

      @Override
      public Object toJournal(String text) {
        boolean replaces = Character.isUpperCase(text.charAt(0));
        return new FencedEvent<>(
            GatedStore.SHARD, STORE.epoch(), text, state, replaces, Draft.NONE);
      }

      @Override
      public EventSeq<String> fromJournal(Object event, String manifest) {
        return EventSeq.single((String) event);
      }

      @Override
      public String manifest(String text) {
        return "";
      }
    }
  }
}
