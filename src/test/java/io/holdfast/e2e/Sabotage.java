package io.holdfast.e2e;

import akka.actor.AbstractExtensionId;
import akka.actor.CoordinatedShutdown;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.ExtensionIdProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Something that befalls a node, once a file with its name is there. The node finds it on the class
 * path of the tests, by a line in its configuration.
 */
public final class Sabotage extends AbstractExtensionId<Sabotage.Saboteur>
    implements ExtensionIdProvider {

  /** More than an actor system has threads. */
  private static final int ALL_THREADS = 64;

  /** The kinds of damage. */
  enum Kind {
    /** All threads of the dispatcher wait for what does not come. */
    STUCK_DISPATCHER,
    /** All threads of the dispatcher meet an error that no JVM survives. */
    FATAL_ERRORS,
    /** The node stops by itself, and Akka's own threads are stuck in the middle of it. */
    STUCK_STOP,
    /** Something takes all of the heap. */
    FULL_HEAP
  }

  /** The lines of a node's configuration that prepare it. */
  static String configuration(Path file) {
    return "akka.extensions = [\"%s\"]\nsabotage-at = \"%s\"\n"
        .formatted(Sabotage.class.getName(), file);
  }

  @Override
  public Sabotage lookup() {
    return this;
  }

  @Override
  public Saboteur createExtension(ExtendedActorSystem system) {
    return new Saboteur(system);
  }

  /** Waits for the file. */
  static final class Saboteur implements Extension {

    private final ExtendedActorSystem system;
    private final List<byte[]> heap = new ArrayList<>();

    Saboteur(ExtendedActorSystem system) {
      this.system = system;
      Path file = Path.of(system.settings().config().getString("sabotage-at"));
      Thread thread = new Thread(() -> await(file), "sabotage");
      thread.setDaemon(true);
      thread.start();
    }

    private void await(Path file) {
      while (!Files.exists(file)) {
        LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(20));
      }
      try {
        befall(Kind.valueOf(Files.readString(file)));
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    private void befall(Kind kind) {
      if (kind == Kind.STUCK_STOP) {
        stopStuck();
        return;
      }
      for (int i = 0; i < ALL_THREADS; i++) {
        system.dispatcher().execute(() -> task(kind));
      }
    }

    private void stopStuck() {
      CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
      shutdown.addTask(
          CoordinatedShutdown.PhaseServiceUnbind(),
          "stick",
          () -> {
            for (int i = 0; i < ALL_THREADS; i++) {
              system.dispatchers().internalDispatcher().execute(() -> task(Kind.STUCK_DISPATCHER));
            }
            return new CompletableFuture<>();
          });
      var unused = shutdown.runAll(CoordinatedShutdown.clusterDowningReason());
    }

    private void task(Kind kind) {
      if (kind == Kind.FATAL_ERRORS) {
        throw new OutOfMemoryError("told to");
      }
      while (kind == Kind.STUCK_DISPATCHER) {
        LockSupport.parkNanos(this, TimeUnit.MINUTES.toNanos(1));
      }
      while (true) {
        synchronized (heap) {
          heap.add(new byte[1 << 20]);
        }
      }
    }
  }
}
