package io.holdfast.lock.rules;

import io.holdfast.id.LeaseLife;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Waiter;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The queue of one lock, first in, first out, without duplicate requests. Immutable: a change
 * returns a new queue. Changes take time logarithmic in the length, and so do lookups by request,
 * by position and by lease.
 */
public final class WaiterQueue extends AbstractList<Waiter> {

  public static final WaiterQueue EMPTY =
      new WaiterQueue(Sequence.empty(), Sequence.empty(), Sequence.empty(), 0, 0);

  /** A waiter, with a number greater than those of all waiters before it. */
  private record Place(long number, Waiter waiter) {

    RequestId request() {
      return waiter.request().id();
    }
  }

  /** The waiters that live by a lease, and those of a session that live by something else. */
  private record OnLease(LeaseLife lease, Sequence<Place> living, Sequence<Place> ofSession) {

    static OnLease none(LeaseLife lease) {
      return new OnLease(lease, Sequence.empty(), Sequence.empty());
    }

    boolean isEmpty() {
      return living.isEmpty() && ofSession.isEmpty();
    }

    OnLease with(Place place) {
      return place.waiter.life().isOn(lease)
          ? new OnLease(lease, added(living, place), ofSession)
          : new OnLease(lease, living, added(ofSession, place));
    }

    OnLease without(Place place) {
      return place.waiter.life().isOn(lease)
          ? new OnLease(lease, removed(living, place), ofSession)
          : new OnLease(lease, living, removed(ofSession, place));
    }
  }

  private final Sequence<Place> places;
  private final Sequence<Place> byRequest; // sorted by RequestOrder
  private final Sequence<OnLease> byLease; // sorted by lease
  private final int metadataBytes;
  private final int bytes;

  private WaiterQueue(
      Sequence<Place> places,
      Sequence<Place> byRequest,
      Sequence<OnLease> byLease,
      int metadataBytes,
      int bytes) {
    this.places = places;
    this.byRequest = byRequest;
    this.byLease = byLease;
    this.metadataBytes = metadataBytes;
    this.bytes = bytes;
  }

  /** Returns the queue of these waiters. A duplicate request is a broken invariant. */
  public static WaiterQueue of(List<Waiter> waiters) {
    if (waiters instanceof WaiterQueue queue) {
      return queue;
    }
    List<Place> places = new ArrayList<>(waiters.size());
    TreeMap<LeaseLife, List<Place>> onLeases = new TreeMap<>();
    int metadataBytes = 0;
    int bytes = 0;
    for (Waiter waiter : waiters) {
      Place place = new Place(places.size(), waiter);
      places.add(place);
      leases(waiter)
          .forEach(lease -> onLeases.computeIfAbsent(lease, on -> new ArrayList<>()).add(place));
      metadataBytes += waiter.metadata().size();
      bytes += waiter.bytes();
    }
    List<Place> inOrder = new ArrayList<>(places);
    inOrder.sort(Comparator.comparing(Place::request, RequestOrder.ORDER));
    for (int i = 1; i < inOrder.size(); i++) {
      requireDifferent(inOrder.get(i - 1), inOrder.get(i).waiter);
    }
    List<OnLease> byLease = new ArrayList<>(onLeases.size());
    onLeases.forEach((lease, on) -> byLease.add(onLease(lease, on)));
    return new WaiterQueue(
        Sequence.of(places), Sequence.of(inOrder), Sequence.of(byLease), metadataBytes, bytes);
  }

  private static OnLease onLease(LeaseLife lease, List<Place> places) {
    List<Place> living = new ArrayList<>(places);
    living.removeIf(place -> !place.waiter.life().isOn(lease));
    List<Place> ofSession = new ArrayList<>(places);
    ofSession.removeIf(place -> place.waiter.life().isOn(lease));
    return new OnLease(lease, Sequence.of(living), Sequence.of(ofSession));
  }

  /** Returns the leases whose end removes the waiter: the one that it lives by, and its session. */
  private static List<LeaseLife> leases(Waiter waiter) {
    Optional<LeaseLife> life = waiter.life().lease();
    Optional<LeaseLife> session = waiter.request().id().keptBy();
    if (life.isEmpty() || life.equals(session)) {
      return session.map(List::of).orElse(List.of());
    }
    return session.map(kept -> List.of(life.get(), kept)).orElse(List.of(life.get()));
  }

  private static void requireDifferent(Place place, Waiter waiter) {
    if (place.request().equals(waiter.request().id())) {
      throw new IllegalStateException("I8 AtMostOnce: a request waits twice [" + waiter + "]");
    }
  }

  /**
   * Returns this queue with one more waiter at its end. A duplicate request is a broken invariant.
   */
  public WaiterQueue with(Waiter waiter) {
    long number = isEmpty() ? 0 : places.get(size() - 1).number + 1;
    Place place = new Place(number, waiter);
    int at = before(place.request());
    if (at < size()) {
      requireDifferent(byRequest.get(at), waiter);
    }
    Sequence<OnLease> onLeases = byLease;
    for (LeaseLife lease : leases(waiter)) {
      int on = before(onLeases, lease);
      onLeases =
          isAt(onLeases, on, lease)
              ? onLeases.replaced(on, onLeases.get(on).with(place))
              : onLeases.with(on, OnLease.none(lease).with(place));
    }
    return new WaiterQueue(
        places.with(size(), place),
        byRequest.with(at, place),
        onLeases,
        metadataBytes + waiter.metadata().size(),
        bytes + waiter.bytes());
  }

  /** Returns this queue without a request, which must be in it. */
  public WaiterQueue without(RequestId request) {
    int at = before(request);
    if (!isAt(at, request)) {
      throw new IllegalArgumentException("request does not wait [" + request + "]");
    }
    Place place = byRequest.get(at);
    Sequence<OnLease> onLeases = byLease;
    for (LeaseLife lease : leases(place.waiter)) {
      int on = before(onLeases, lease);
      OnLease rest = onLeases.get(on).without(place);
      onLeases = rest.isEmpty() ? onLeases.without(on) : onLeases.replaced(on, rest);
    }
    return new WaiterQueue(
        removed(places, place),
        byRequest.without(at),
        onLeases,
        metadataBytes - place.waiter.metadata().size(),
        bytes - place.waiter.bytes());
  }

  /** Returns the position of a request, from 1, or 0 if it does not wait. */
  public int position(RequestId request) {
    int at = before(request);
    return isAt(at, request) ? before(places, byRequest.get(at)) + 1 : 0;
  }

  /** True if a waiter lives by this lease. */
  public boolean hangsOn(LeaseLife lease) {
    int on = before(byLease, lease);
    return isAt(byLease, on, lease) && !byLease.get(on).living.isEmpty();
  }

  /** Returns the waiters whose lease or session has ended, in order. Asks each lease once. */
  public List<Waiter> endedWith(Predicate<LeaseLife> hasEnded) {
    return on(leases(hasEnded));
  }

  /** Returns the number of leases by which waiters live, and of sessions of waiters. */
  public int leaseCount() {
    return byLease.size();
  }

  /** Returns those of these leases that match. Asks each once. */
  public List<LeaseLife> leases(Predicate<LeaseLife> matches) {
    List<LeaseLife> leases = new ArrayList<>(0);
    for (OnLease each : byLease) {
      if (matches.test(each.lease)) {
        leases.add(each.lease);
      }
    }
    return leases;
  }

  /** Returns the waiters that live by one of these leases, or have one as session, in order. */
  public List<Waiter> on(List<LeaseLife> leases) {
    TreeMap<Long, Waiter> found = new TreeMap<>();
    for (LeaseLife lease : leases) {
      int on = before(byLease, lease);
      if (isAt(byLease, on, lease)) {
        byLease.get(on).living.forEach(place -> found.put(place.number, place.waiter));
        byLease.get(on).ofSession.forEach(place -> found.put(place.number, place.waiter));
      }
    }
    return found.isEmpty() ? List.of() : List.copyOf(found.values());
  }

  /** True if the queue stays within its size with one more waiter. */
  boolean hasRoomFor(Waiter waiter) {
    return metadataBytes + waiter.metadata().size() <= LockMachine.MAX_QUEUE_METADATA
        && bytes + waiter.bytes() <= LockMachine.MAX_QUEUE_BYTES;
  }

  /** Returns the total size of all metadata in bytes. */
  public int metadataBytes() {
    return metadataBytes;
  }

  /** Returns an upper estimate of the size of the queue in the journal, in bytes. */
  public int bytes() {
    return bytes;
  }

  @Override
  public int size() {
    return places.size();
  }

  @Override
  public Waiter get(int index) {
    return places.get(index).waiter;
  }

  @Override
  public Iterator<Waiter> iterator() {
    Iterator<Place> each = places.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return each.hasNext();
      }

      @Override
      public Waiter next() {
        return each.next().waiter;
      }
    };
  }

  private int before(RequestId request) {
    return byRequest.countWhile(place -> RequestOrder.ORDER.compare(place.request(), request) < 0);
  }

  private boolean isAt(int index, RequestId request) {
    return index < byRequest.size() && byRequest.get(index).request().equals(request);
  }

  private static int before(Sequence<OnLease> onLeases, LeaseLife lease) {
    return onLeases.countWhile(each -> each.lease.compareTo(lease) < 0);
  }

  private static boolean isAt(Sequence<OnLease> onLeases, int index, LeaseLife lease) {
    return index < onLeases.size() && onLeases.get(index).lease.equals(lease);
  }

  private static int before(Sequence<Place> places, Place place) {
    return places.countWhile(each -> each.number < place.number);
  }

  private static Sequence<Place> added(Sequence<Place> places, Place last) {
    return places.with(places.size(), last);
  }

  private static Sequence<Place> removed(Sequence<Place> places, Place place) {
    return places.without(before(places, place));
  }
}
