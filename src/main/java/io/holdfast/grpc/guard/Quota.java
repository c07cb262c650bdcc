package io.holdfast.grpc.guard;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Something of which a node has only so much: one address may take a part of it, and one connection
 * another. Safe for use by many threads.
 */
public final class Quota {

  /** Of what there is a quota. */
  public enum Kind {
    /** Commands to locks and leases, and reads, from their start until they are answered. */
    COMMANDS,
    /** Streams of many messages. */
    STREAMS,
    /** Watches, of which a stream may have many. */
    WATCHES,
    /** Bytes of what has come and is not whole. */
    BYTES,
    /** Bytes of sessions' frames, decoded, and of their operations, that have not begun. */
    FRAMES,
    /** Bytes of answers that are not read. */
    UNREAD,
    /** Operations of sessions without an answer, also those that wait in line. */
    OPERATIONS,
    /** Single calls for locks, until nothing of them is under way: no waiting, and no cancel. */
    LOCK_CALLS,
    /** Shared leases, those of sessions too, from their beginning until they have ended. */
    LEASES,
    /** Bytes of what is kept for watches. */
    WATCH_BYTES
  }

  /** One address has this part of a node: half of it is left to others. */
  private static final int ADDRESS_PART = 2;

  /** Of a node that may have few of something an address may have as many, up to this. */
  private static final int LEAST_OF_ADDRESS = 64;

  private final Kind kind;
  private final long ofNode;
  private final IntSupplier nodes;
  private final long ofConnection;
  private final AtomicLong taken = new AtomicLong();

  /**
   * Nothing of it is taken.
   *
   * @param ofNode how much there is
   * @param ofConnection how much of it one connection may take
   */
  public Quota(Kind kind, long ofNode, long ofConnection) {
    this(kind, ofNode, ofConnection, () -> 1);
  }

  /**
   * Of something that the cluster has, and that can be taken at any of its nodes.
   *
   * @param ofCluster how much there is
   * @param ofConnection how much of it one connection may take
   * @param nodes how many nodes there are: an address may go to all of them
   */
  public Quota(Kind kind, long ofCluster, long ofConnection, IntSupplier nodes) {
    this.kind = kind;
    this.ofNode = ofCluster;
    this.ofConnection = ofConnection;
    this.nodes = nodes;
  }

  /** How much of it one address may take at this node. */
  public long ofAddress() {
    return ofAddress(ofNode, nodes.getAsInt());
  }

  /**
   * How much one address may take at one of so many nodes, of so much that there is in all of them.
   */
  public static long ofAddress(long all, int nodes) {
    return Math.min(all, Math.max(all / ADDRESS_PART / Math.max(1, nodes), LEAST_OF_ADDRESS));
  }

  /**
   * A bound that is reached.
   *
   * @param of who has it: node, address or connection
   */
  public record Full(String of, long most) {}

  /** Takes so much, or nothing; says which bound stands against it. */
  public @Nullable Full take(Caller caller, long amount) {
    if (!add(taken, amount, ofNode)) {
      return new Full("node", ofNode);
    } else if (!add(caller.address().taken(kind), amount, ofAddress())) {
      taken.addAndGet(-amount);
      return new Full("address", ofAddress());
    } else if (!add(caller.taken(kind), amount, ofConnection)) {
      taken.addAndGet(-amount);
      caller.address().taken(kind).addAndGet(-amount);
      return new Full("connection", ofConnection);
    }
    return null;
  }

  private static boolean add(AtomicLong to, long amount, long most) {
    if (to.addAndGet(amount) > most) {
      to.addAndGet(-amount);
      return false;
    }
    return true;
  }

  /** Gives back what was taken. */
  public void give(Caller caller, long amount) {
    count(caller, -amount);
  }

  /** Takes so much, or gives it back, whatever the bounds. */
  public void count(Caller caller, long amount) {
    long now = caller.address().taken(kind).addAndGet(amount);
    taken.addAndGet(ofNode(now) - ofNode(now - amount));
    caller.taken(kind).addAndGet(amount);
  }

  /**
   * Returns the part of an address's amount that counts for the node. Answers and frames may exceed
   * the address's share; the excess must not be taken from others.
   */
  private long ofNode(long ofAddress) {
    return kind == Kind.UNREAD || kind == Kind.FRAMES
        ? Math.min(ofAddress, ofAddress())
        : ofAddress;
  }

  /**
   * Which bound leaves no room for one after so many more; null if there is room.
   *
   * @param reserve how much all bounds are larger, in percent: what is kept free for this
   */
  public @Nullable Full full(Caller caller, long more, int reserve) {
    if (isFull(taken.get() + more, ofNode, reserve)) {
      return new Full("node", ofNode);
    } else if (isFull(caller.address().taken(kind).get() + more, ofAddress(), reserve)) {
      return new Full("address", ofAddress());
    } else if (isFull(caller.taken(kind).get() + more, ofConnection, reserve)) {
      return new Full("connection", ofConnection);
    }
    return null;
  }

  private static boolean isFull(long now, long most, int reserve) {
    return now * 100 >= most * (100 + reserve);
  }

  /** How much is taken. */
  public long taken() {
    return taken.get();
  }
}
