package io.holdfast.watch;

import io.holdfast.id.Revision;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * The watches of one client's stream. It is read at the client's pace: whoever reads asks for the
 * next answer, and the watches that have one take turns. Nothing is made before it is asked for.
 *
 * <p>Every method may be called from any thread, and returns at once.
 */
public final class WatchStream implements AutoCloseable {

  /** A watch of the stream, which may be queued to send. */
  final class Voice {
    private final Watch watch;
    private boolean inLine;

    private Voice(Watch watch) {
      this.watch = watch;
    }

    void offer(LockChange change, long place, Consumer<WatchStream> awake) {
      if (watch.offer(change, place)) {
        line(this, awake);
      }
    }

    void letGo() {
      watch.letGo();
    }

    Selector selector() {
      return watch.selector();
    }
  }

  private final WatchHub hub;
  private final Runnable wake;
  private final Map<Long, Voice> voices = new HashMap<>();
  private final Queue<Voice> line = new ArrayDeque<>();
  private boolean asleep;
  private boolean closed;

  WatchStream(WatchHub hub, Runnable wake) {
    this.hub = hub;
    this.wake = wake;
  }

  /** Creates a watch that begins with the next change: {@code Created} or {@code Ended}. */
  public WatchAnswer create(long id, Selector selector) {
    synchronized (hub) {
      return create(id, selector, new Position(new Revision(hub.history().revision()), 0));
    }
  }

  /** Creates a watch of what comes after a position: {@code Created} or {@code Ended}. */
  public WatchAnswer create(long id, Selector selector, Position after) {
    synchronized (hub) {
      Optional<WatchEnding> refusal =
          voices.containsKey(id) ? Optional.of(WatchEnding.EXISTS) : hub.refusal(voices.size());
      if (refusal.isEmpty() && after.revision().value() + 1 < hub.history().first()) {
        refusal = Optional.of(WatchEnding.COMPACTED);
      }
      if (refusal.isPresent() || closed) {
        return refused(id, refusal.orElse(WatchEnding.LEAVING));
      }
      Voice voice = new Voice(new Watch(id, selector, after, hub.history(), hub.backlogs()));
      voices.put(id, voice);
      hub.add(voice);
      WatchAnswer created = voice.watch.created(hub.history());
      lineIfToSpeak(voice);
      return created;
    }
  }

  /** Ends a watch; it says nothing after this answer. */
  public WatchAnswer.Ended cancel(long id) {
    synchronized (hub) {
      Voice voice = voices.get(id);
      if (voice == null) {
        return refused(id, WatchEnding.NOT_FOUND);
      }
      voice.watch.end(WatchEnding.CANCELLED, hub.history());
      remove(voice);
      return voice.watch.ended(hub.history());
    }
  }

  /**
   * Asks for a mark, once all that is known now has been told. Answers only if there is no such
   * watch.
   */
  public Optional<WatchAnswer.Ended> mark(long id) {
    synchronized (hub) {
      Voice voice = voices.get(id);
      if (voice == null) {
        return Optional.of(refused(id, WatchEnding.NOT_FOUND));
      }
      voice.watch.askForMark(hub.history());
      lineIfToSpeak(voice);
      return Optional.empty();
    }
  }

  /** The next answer; empty if there is none, and then the stream wakes its reader later. */
  public Optional<WatchAnswer> next() {
    while (true) {
      synchronized (hub) { // let go in between: a watch may have much to search
        Voice voice = line.poll();
        if (voice == null) {
          asleep = true;
          return Optional.empty();
        }
        voice.inLine = false;
        WatchAnswer answer = voice.watch.speak(hub.history());
        if (answer instanceof WatchAnswer.Ended) {
          remove(voice);
        } else {
          lineIfToSpeak(voice);
        }
        if (answer != null) {
          return Optional.of(answer);
        }
      }
    }
  }

  /** The number of its watches. */
  public int size() {
    synchronized (hub) {
      return voices.size();
    }
  }

  /** True if the node stops and all has been said. */
  public boolean isOver() {
    synchronized (hub) {
      return hub.hasLeft() && voices.isEmpty();
    }
  }

  /** Ends it with all its watches, without a word. */
  @Override
  public void close() {
    synchronized (hub) {
      closed = true;
      voices.values().forEach(hub::remove);
      voices.clear();
      line.clear();
      hub.remove(this);
    }
  }

  /** To be called without the lock. */
  void wake() {
    wake.run();
  }

  void endAll(WatchEnding why, Consumer<WatchStream> awake) {
    for (Voice voice : voices.values()) {
      voice.watch.end(why, hub.history());
      line(voice, awake);
    }
    rouse(awake); // also one without watches: its reader has to learn that it is over
  }

  void beginAnew(Revision revision, Consumer<WatchStream> awake) {
    List<Voice> all = new ArrayList<>(voices.values());
    for (Voice voice : all) {
      voice.watch.beginAnew(hub.history(), revision);
      if (voice.watch.hasEnded()) {
        line(voice, awake);
      }
    }
  }

  private void line(Voice voice, Consumer<WatchStream> awake) {
    if (!voice.inLine) {
      voice.inLine = true;
      line.add(voice);
    }
    rouse(awake);
  }

  private void rouse(Consumer<WatchStream> awake) {
    if (asleep) {
      asleep = false;
      awake.accept(this);
    }
  }

  /** Nobody has to be woken: who reads the stream is here, and reads on. */
  private void lineIfToSpeak(Voice voice) {
    if (!voice.inLine && voice.watch.isToSpeak(hub.history())) {
      voice.inLine = true;
      line.add(voice);
    }
  }

  private void remove(Voice voice) {
    voices.remove(voice.watch.id());
    hub.remove(voice);
    if (voice.inLine) {
      line.remove(voice);
    }
  }

  private WatchAnswer.Ended refused(long id, WatchEnding why) {
    ChangeHistory history = hub.history();
    long available = why == WatchEnding.COMPACTED ? history.first() : 0;
    return new WatchAnswer.Ended(id, new Revision(history.revision()), why, null, available);
  }
}
