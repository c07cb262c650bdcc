package io.holdfast.lock;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Those who wait for one lock, first come first, and no request twice. Immutable: a change gives a
 * new line and leaves the old one as it was. It takes a few steps for each doubling of the length,
 * and so does the search for a request, for a place, or for who hangs on a lease.
 */
public final class Line extends AbstractList<Waiter> {

  public static final Line EMPTY =
      new Line(Sequence.empty(), Sequence.empty(), Sequence.empty(), 0, 0);

  /** A waiter, and a number that is greater than those of all before it. */
  private record Place(long number, Waiter waiter) {

    RequestId request() {
      return waiter.request().id();
    }
  }

  /** Those that live by a lease, and those of a session that live by something else. */
  private record OnLease(LeaseLife lease, Sequence<Place> living, Sequence<Place> heard) {

    static OnLease none(LeaseLife lease) {
      return new OnLease(lease, Sequence.empty(), Sequence.empty());
    }

    boolean isEmpty() {
      return living.isEmpty() && heard.isEmpty();
    }

    OnLease with(Place place) {
      return place.waiter.life().isOn(lease)
          ? new OnLease(lease, added(living, place), heard)
          : new OnLease(lease, living, added(heard, place));
    }

    OnLease without(Place place) {
      return place.waiter.life().isOn(lease)
          ? new OnLease(lease, removed(living, place), heard)
          : new OnLease(lease, living, removed(heard, place));
    }
  }

  private final Sequence<Place> places;
  private final Sequence<Place> byRequest; // in RequestOrder
  private final Sequence<OnLease> byLease; // in the order of the leases
  private final int metadataBytes;
  private final int bytes;

  private Line(
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

  /** The line of these. The same request twice is a broken invariant. */
  public static Line of(List<Waiter> waiters) {
    if (waiters instanceof Line line) {
      return line;
    }
    List<Place> places = new ArrayList<>(waiters.size());
    TreeMap<LeaseLife, List<Place>> onLeases = new TreeMap<>(LeaseLife.ORDER);
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
      requireOther(inOrder.get(i - 1), inOrder.get(i).waiter);
    }
    List<OnLease> byLease = new ArrayList<>(onLeases.size());
    onLeases.forEach((lease, on) -> byLease.add(onLease(lease, on)));
    return new Line(
        Sequence.of(places), Sequence.of(inOrder), Sequence.of(byLease), metadataBytes, bytes);
  }

  private static OnLease onLease(LeaseLife lease, List<Place> places) {
    List<Place> living = new ArrayList<>(places);
    living.removeIf(place -> !place.waiter.life().isOn(lease));
    List<Place> heard = new ArrayList<>(places);
    heard.removeIf(place -> place.waiter.life().isOn(lease));
    return new OnLease(lease, Sequence.of(living), Sequence.of(heard));
  }

  /** The leases with whose end it leaves: that by which it lives, and its session. */
  private static List<LeaseLife> leases(Waiter waiter) {
    Optional<LeaseLife> life = waiter.life().lease();
    Optional<LeaseLife> session = waiter.request().id().keptBy();
    if (life.isEmpty() || life.equals(session)) {
      return session.map(List::of).orElse(List.of());
    }
    return session.map(kept -> List.of(life.get(), kept)).orElse(List.of(life.get()));
  }

  private static void requireOther(Place place, Waiter waiter) {
    if (place.request().equals(waiter.request().id())) {
      throw new IllegalStateException("I8 AtMostOnce: a request waits twice [" + waiter + "]");
    }
  }

  /** With one more at its end. A request that waits already is a broken invariant. */
  public Line with(Waiter waiter) {
    long number = isEmpty() ? 0 : places.get(size() - 1).number + 1;
    Place place = new Place(number, waiter);
    int at = before(place.request());
    if (at < size()) {
      requireOther(byRequest.get(at), waiter);
    }
    Sequence<OnLease> onLeases = byLease;
    for (LeaseLife lease : leases(waiter)) {
      int on = before(onLeases, lease);
      onLeases =
          isAt(onLeases, on, lease)
              ? onLeases.replaced(on, onLeases.get(on).with(place))
              : onLeases.with(on, OnLease.none(lease).with(place));
    }
    return new Line(
        places.with(size(), place),
        byRequest.with(at, place),
        onLeases,
        metadataBytes + waiter.metadata().size(),
        bytes + waiter.bytes());
  }

  /** Without a request, which must be there. */
  public Line without(RequestId request) {
    int at = before(request);
    if (!isAt(at, request)) {
      throw new IllegalArgumentException("does not wait [" + request + "]");
    }
    Place place = byRequest.get(at);
    Sequence<OnLease> onLeases = byLease;
    for (LeaseLife lease : leases(place.waiter)) {
      int on = before(onLeases, lease);
      OnLease rest = onLeases.get(on).without(place);
      onLeases = rest.isEmpty() ? onLeases.without(on) : onLeases.replaced(on, rest);
    }
    return new Line(
        removed(places, place),
        byRequest.without(at),
        onLeases,
        metadataBytes - place.waiter.metadata().size(),
        bytes - place.waiter.bytes());
  }

  /** The place of a request, from 1, or 0 if it does not wait. */
  public int position(RequestId request) {
    int at = before(request);
    return isAt(at, request) ? before(places, byRequest.get(at)) + 1 : 0;
  }

  /** True if a waiter lives by this lease. */
  public boolean hangsOn(LeaseLife lease) {
    int on = before(byLease, lease);
    return isAt(byLease, on, lease) && !byLease.get(on).living.isEmpty();
  }

  /** Those that live by a lease that has ended, or are of a session that has, in their order. */
  public List<Waiter> endedWith(Predicate<LeaseLife> hasEnded) {
    TreeMap<Long, Waiter> ended = new TreeMap<>();
    for (OnLease each : byLease) {
      if (hasEnded.test(each.lease)) {
        each.living.forEach(place -> ended.put(place.number, place.waiter));
        each.heard.forEach(place -> ended.put(place.number, place.waiter));
      }
    }
    return ended.isEmpty() ? List.of() : List.copyOf(ended.values());
  }

  /** The bytes of all metadata. */
  public int metadataBytes() {
    return metadataBytes;
  }

  /** The bytes that the journal needs for all of them, or a few more for each. */
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
    return onLeases.countWhile(each -> LeaseLife.ORDER.compare(each.lease, lease) < 0);
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
