package io.holdfast.simulation.cluster;

import io.holdfast.lock.Holder;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Waiter;
import io.holdfast.lock.rules.LockEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One lock as its events leave it, whatever they are: it has no opinion about them. */
record Row(@Nullable Holder holder, List<Waiter> queue) {

  static final Row FREE = new Row(null, List.of());

  Row {
    queue = List.copyOf(queue);
  }

  boolean isFree() {
    return holder == null && queue.isEmpty();
  }

  boolean isHeldBy(long token) {
    return holder != null && holder.token().value() == token;
  }

  Optional<Waiter> waiter(RequestId request) {
    return queue.stream().filter(each -> each.request().id().equals(request)).findFirst();
  }

  Row after(LockEvent event) {
    return event.match(new After());
  }

  private Row without(RequestId request) {
    List<Waiter> rest = new ArrayList<>(queue);
    rest.removeIf(each -> each.request().id().equals(request));
    return new Row(holder, rest);
  }

  private Row counted(int count) {
    Holder by = holder;
    return by == null
        ? this
        : new Row(
            new Holder(by.id(), by.request(), by.token(), by.life(), count, by.metadata()), queue);
  }

  private final class After implements LockEvent.Cases<Row> {

    @Override
    public Row granted(LockEvent.Granted granted) {
      return new Row(granted.holder(), queue);
    }

    @Override
    public Row reentered(LockEvent.Reentered reentered) {
      return counted(reentered.count());
    }

    @Override
    public Row steppedOut(LockEvent.SteppedOut steppedOut) {
      return counted(steppedOut.count());
    }

    @Override
    public Row aged(LockEvent.Aged aged) {
      Holder by = holder;
      return by == null
          ? Row.this
          : new Row(
              new Holder(
                  by.id(),
                  by.request(),
                  by.token(),
                  by.life(),
                  by.count(),
                  by.metadata(),
                  aged.aged()),
              queue);
    }

    @Override
    public Row queued(LockEvent.Queued queued) {
      List<Waiter> longer = new ArrayList<>(queue);
      longer.add(queued.waiter());
      return new Row(holder, longer);
    }

    @Override
    public Row left(LockEvent.Left left) {
      return without(left.request());
    }

    @Override
    public Row barred(LockEvent.Barred barred) {
      return Row.this;
    }

    @Override
    public Row freed(LockEvent.Freed freed) {
      return new Row(null, queue);
    }

    @Override
    public Row handedOver(LockEvent.HandedOver event) {
      return new Row(event.next(), without(event.next().request().id()).queue);
    }

    @Override
    public Row forgotten(LockEvent.Forgotten forgotten) {
      return FREE;
    }
  }
}
