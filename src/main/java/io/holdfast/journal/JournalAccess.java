package io.holdfast.journal;

import akka.actor.AbstractExtensionId;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Access of the plugins, which Akka creates by itself, to the store of their node. Must be opened
 * before the first persistent actor starts.
 */
public final class JournalAccess implements Extension {

  private static final class Id extends AbstractExtensionId<JournalAccess> {
    @Override
    public JournalAccess createExtension(ExtendedActorSystem system) {
      return new JournalAccess(system);
    }
  }

  private static final Id ID = new Id();

  private record Opened(JournalStore store, Function<PersistenceId, ShardId> shardOf) {}

  private volatile @Nullable Opened opened;

  private final ActorSystem system;

  private JournalAccess(ActorSystem system) {
    this.system = system;
  }

  public static JournalAccess get(ActorSystem system) {
    return ID.get(system);
  }

  /**
   * Gives the system its store.
   *
   * @param shardOf the shard of a persistence id
   */
  public void open(JournalStore store, Function<PersistenceId, ShardId> shardOf) {
    store.answerOn(system.dispatcher());
    opened = new Opened(store, shardOf);
  }

  JournalStore store() {
    return opened().store;
  }

  ShardId shardOf(PersistenceId persistenceId) {
    return opened().shardOf.apply(persistenceId);
  }

  private Opened opened() {
    Opened now = opened;
    if (now == null) {
      throw new IllegalStateException("the journal of this node is not open yet");
    }
    return now;
  }
}
