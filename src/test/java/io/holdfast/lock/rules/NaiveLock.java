package io.holdfast.lock.rules;

import io.holdfast.id.LeaseLife;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.RequestId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A simple model of a lock: one holder, a queue, the ended leases, and the outcome of each request.
 * It answers in words.
 */
final class NaiveLock {

  static final int MAX_WAITERS = 3;

  /** A holder or a waiter. */
  record Somebody(RequestId request, String what, HolderId who, Lifetime life) {}

  /** The recorded outcome of a request, with its content. */
  record Memory(String what, String kind, long token, String words) {}

  /** Thrown when a grant needs a token and there is none. */
  static final class OutOfTokens extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Nullable Somebody holder;
  long token;
  int count;
  long agedMs;
  long newest;
  boolean hasTokens = true;
  final List<Somebody> queue = new ArrayList<>();
  final Set<LeaseLife> ended = new HashSet<>();
  final Map<RequestId, Memory> memory = new HashMap<>();

  /** The notices of ended waits, in order. */
  final List<RequestId> told = new ArrayList<>();

  NaiveLock copy() {
    NaiveLock copy = new NaiveLock();
    copy.holder = holder;
    copy.token = token;
    copy.count = count;
    copy.agedMs = agedMs;
    copy.newest = newest;
    copy.queue.addAll(queue);
    copy.ended.addAll(ended);
    copy.memory.putAll(memory);
    return copy;
  }

  String acquire(Somebody asks, boolean waits, boolean reenter, boolean repeated) {
    String words = acquire(asks, waits, reenter);
    if (repeated && !memory.containsKey(asks.request())) {
      if (words.startsWith("acquired")) {
        keep(asks.request(), new Memory(asks.what(), "granted", token, ""));
      } else if (words.startsWith("held") || words.equals("full")) {
        keep(asks.request(), new Memory(asks.what(), "not granted", 0, "left REFUSED"));
      }
    }
    return words;
  }

  private String acquire(Somebody asks, boolean waits, boolean reenter) {
    bury();
    RequestId request = asks.request();
    int place = place(request);
    if (place > 0) {
      return queue.get(place - 1).what().equals(asks.what()) ? "waiting " + place : "reused";
    } else if (holder != null && holder.request().equals(request)) {
      return holder.what().equals(asks.what()) ? again(request, token) : "reused";
    } else if (isLate(request)) {
      return "gone";
    }
    Memory known = memory.get(request);
    if (known != null) {
      boolean same = known.what().isEmpty() || known.what().equals(asks.what());
      return !same
          ? "reused"
          : known.kind().equals("granted") ? again(request, known.token()) : known.words();
    } else if (isDead(asks.life())) {
      return "gone";
    } else if (holder == null) {
      grant(asks);
      return acquired(token, "AT_ONCE");
    } else if (holder.who().equals(asks.who())) {
      if (reenter) {
        count++;
        agedMs = 0;
        keep(request, new Memory(asks.what(), "granted", token, ""));
      }
      return acquired(token, "AT_ONCE");
    } else if (!waits) {
      return "held " + token;
    } else if (queue.size() == MAX_WAITERS) {
      return "full";
    }
    queue.add(asks);
    return "waiting " + queue.size();
  }

  String release(RequestId request, String what, long released, boolean all) {
    long known = newest;
    bury();
    String earlier = earlier(request, what, "released");
    if (!earlier.isEmpty()) {
      return earlier;
    } else if (holder == null || token != released || token > known) {
      return "not held " + released;
    }
    letGo(all);
    int rest = holder != null && token == released ? count : 0;
    String words = "released " + released + " " + rest;
    Memory outcome = new Memory(what, "released", released, words + " again");
    if (rest > 0) {
      keep(request, outcome);
    } else {
      remember(request, outcome);
    }
    return words;
  }

  String expire(long expired) {
    long known = newest;
    bury();
    if (holder == null || token != expired || token > known) {
      return "not held " + expired;
    }
    end();
    return "released " + expired + " 0";
  }

  String age(long of, long ms) {
    long known = newest;
    bury();
    if (holder == null || token != of || token > known) {
      return "not held " + of;
    } else if (holder.life().lease().isEmpty()) {
      agedMs = ms;
    }
    return "orphans removed";
  }

  String leave(RequestId request, LockCommand.LeaveCause cause) {
    int place = place(request);
    if (place > 0) {
      drop(place, cause);
    }
    bury();
    return place > 0 ? "withdrawn" : "not waiting";
  }

  String cancel(RequestId request) {
    int place = place(request);
    if (place > 0) {
      drop(place, LockCommand.LeaveCause.CANCELLED);
    }
    bury();
    if (place > 0) {
      return "cancelled, dropped";
    }
    RequestId cancelling = new RequestId.Cancelling(request);
    Memory known = isLate(request) ? null : memory.get(request);
    if (memory.containsKey(cancelling) && !isLate(request)) {
      return "cancelled, released " + memory.get(cancelling).token();
    }
    boolean holds = holder != null && holder.request().equals(request);
    if (holds || (known != null && known.kind().equals("granted") && known.token() == token)) {
      if (holder != null) {
        long was = token;
        letGo(/* all= */ false);
        if (holder != null && token == was) {
          keep(cancelling, new Memory("", "cancelled", was, ""));
        } else if (known == null && !request.isRepeatable()) {
          keep(request, new Memory("", "not granted", 0, "left CANCELLED"));
        }
        return "cancelled, released " + was;
      }
    } else if (known == null) {
      keep(request, new Memory("", "not granted", 0, "left CANCELLED"));
    }
    return "cancelled";
  }

  String force(RequestId request, String what, long only) {
    boolean wasDead = holder != null && isDead(holder.life());
    bury();
    String earlier = earlier(request, what, "forced");
    if (!earlier.isEmpty()) {
      return earlier;
    }
    boolean isThere = holder != null && !wasDead;
    if (only != 0 && (!isThere || token != only)) {
      return "not held " + only;
    } else if (!isThere) {
      return "forced []";
    }
    String words = "forced [" + token + "]";
    end();
    keep(request, new Memory(what, "forced", 0, words + " again"));
    return words;
  }

  String removeOrphans() {
    bury();
    return "orphans removed";
  }

  /** Ends a lease with everything on it, and drops the outcomes of its requests. */
  void endLease(LeaseLife lease) {
    ended.add(lease);
    memory.keySet().removeIf(this::isLate);
  }

  private String earlier(RequestId request, String what, String kind) {
    if (place(request) > 0 || (holder != null && holder.request().equals(request))) {
      return "reused";
    } else if (isLate(request)) {
      return "gone";
    }
    Memory known = memory.get(request);
    return known == null
        ? ""
        : known.kind().equals(kind) && known.what().equals(what) ? known.words() : "reused";
  }

  private void bury() {
    for (int place = queue.size(); place > 0; place--) {
      if (isDead(queue.get(place - 1).life()) || isLate(queue.get(place - 1).request())) {
        drop(place, LockCommand.LeaveCause.LEASE_ENDED);
      }
    }
    if (holder != null && isDead(holder.life())) {
      end();
    }
  }

  private void letGo(boolean all) {
    if (all || count == 1) {
      end();
    } else {
      count--;
      agedMs = 0;
    }
  }

  private void end() {
    holder = null;
    count = 0;
    if (!queue.isEmpty()) {
      Somebody next = queue.remove(0);
      told.add(next.request());
      grant(next);
      remember(next.request(), new Memory(next.what(), "granted", token, ""));
    }
  }

  private void grant(Somebody next) {
    if (!hasTokens) {
      throw new OutOfTokens();
    }
    holder = next;
    token = ++newest;
    count = 1;
    agedMs = 0;
    remember(next.request(), new Memory(next.what(), "granted", token, ""));
  }

  private void drop(int place, LockCommand.LeaveCause cause) {
    Somebody gone = queue.remove(place - 1);
    told.add(gone.request());
    Memory left = new Memory(gone.what(), "not granted", 0, "left " + cause);
    if (cause == LockCommand.LeaveCause.CANCELLED) {
      keep(gone.request(), left);
    } else {
      remember(gone.request(), left);
    }
  }

  private void remember(RequestId request, Memory outcome) {
    if (request.isRepeatable()) {
      keep(request, outcome);
    }
  }

  private void keep(RequestId request, Memory outcome) {
    if (!isLate(request)) {
      memory.put(request, outcome);
    }
  }

  private String again(RequestId request, long which) {
    return memory.containsKey(new RequestId.Cancelling(request)) && !isLate(request)
        ? "acquired %d x0 REPEATED".formatted(which)
        : acquired(which, "REPEATED");
  }

  private String acquired(long which, String manner) {
    boolean held = holder != null && token == which;
    return "acquired %d x%d %s".formatted(which, held ? count : 0, manner);
  }

  private int place(RequestId request) {
    return queue.stream().map(Somebody::request).toList().indexOf(request) + 1;
  }

  private boolean isLate(RequestId request) {
    return request.keptBy().filter(ended::contains).isPresent();
  }

  private boolean isDead(Lifetime life) {
    return life.lease().filter(ended::contains).isPresent();
  }
}
