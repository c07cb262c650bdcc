package io.holdfast.grpc.guard;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A limited resource of a node. One address may take a part of it, and one connection a part of its
 * own. Safe for use by many threads.
 */
public final class Quota {

  /** The resources with a quota. */
  public enum Kind {
    /** Commands and reads of locks and leases, from their start until they are answered. */
    COMMANDS,
    /** Streaming calls. */
    STREAMS,
    /** Watches; a stream may have many. */
    WATCHES,
    /** Bytes of incomplete messages. */
    BYTES,
    /** Bytes of decoded session frames, and of their operations that have not started. */
    FRAMES,
    /** Bytes of unread answers. */
    UNREAD,
    /** Bytes of calls held while the node is late. */
    HELD,
    /** Operations of sessions without an answer, including those that wait in a queue. */
    OPERATIONS,
    /** Lock calls, until they neither wait nor release in the background. */
    LOCK_CALLS,
    /** Leases, including sessions, from their grant to their end. */
    LEASES,
    /** Bytes of memory of watches. */
    WATCH_BYTES
  }

  /** The part of the heap that a quota of bytes may take. */
  private static final int HEAP_PART = 16;

  /** The bytes of each that one connection may have. */
  private static final int BYTES_OF_CONNECTION = 2 << 20;

  /** One address may take this part of the node's amount; the rest is left to others. */
  private static final int ADDRESS_PART = 2;

  /** The least share of an address: it may take all of an amount up to this. */
  private static final int LEAST_OF_ADDRESS = 64;

  private final Kind kind;
  private final long ofNode;
  private final IntSupplier nodes;
  private final long ofConnection;
  private final AtomicLong taken = new AtomicLong();

  /**
   * Creates a quota of a node's resource.
   *
   * @param ofNode the amount
   * @param ofConnection the part of one connection
   */
  public Quota(Kind kind, long ofNode, long ofConnection) {
    this(kind, ofNode, ofConnection, () -> 1);
  }

  /**
   * Creates a quota of a cluster's resource that can be taken at each node.
   *
   * @param ofCluster the amount
   * @param ofConnection the part of one connection
   * @param nodes the number of nodes; an address may use all of them
   */
  public Quota(Kind kind, long ofCluster, long ofConnection, IntSupplier nodes) {
    this.kind = kind;
    this.ofNode = ofCluster;
    this.ofConnection = ofConnection;
    this.nodes = nodes;
  }

  /** Creates a quota of bytes of a port: a part of the heap. */
  public static Quota ofHeap(Kind kind) {
    return new Quota(kind, Runtime.getRuntime().maxMemory() / HEAP_PART, BYTES_OF_CONNECTION);
  }

  /** Returns the share of one address at this node. */
  public long ofAddress() {
    return ofAddress(ofNode, nodes.getAsInt());
  }

  /**
   * Returns the share of one address at one of {@code nodes} nodes, of the amount of all of them.
   */
  public static long ofAddress(long all, int nodes) {
    return Math.min(all, Math.max(all / ADDRESS_PART / Math.max(1, nodes), LEAST_OF_ADDRESS));
  }

  /**
   * Returns the share of this caller's address. Of the bytes of messages on their way, it is at
   * most half of what others leave: however much two addresses take, a third finds room.
   */
  private long ofAddress(ClientConnection caller) {
    long most = ofAddress();
    return switch (kind) {
      case BYTES, FRAMES, UNREAD, HELD -> {
        long others = taken.get() - ofNode(caller.address().taken(kind).get());
        yield Math.min(most, Math.max(0, ofNode - others) / ADDRESS_PART);
      }
      default -> most;
    };
  }

  /**
   * A limit that is reached.
   *
   * @param of the scope of the limit: node, address or connection
   */
  public record Full(String of, long most) {}

  /** Takes the amount, or nothing; returns the limit that is reached, or null. */
  public @Nullable Full take(ClientConnection caller, long amount) {
    long ofAddress = ofAddress(caller);
    if (!add(taken, amount, ofNode)) {
      return new Full("node", ofNode);
    } else if (!add(caller.address().taken(kind), amount, ofAddress)) {
      taken.addAndGet(-amount);
      return new Full("address", ofAddress);
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

  /** Returns an amount that was taken. */
  public void give(ClientConnection caller, long amount) {
    count(caller, -amount);
  }

  /** Changes the amount taken without a check of the limits. */
  public void count(ClientConnection caller, long amount) {
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
   * Returns the limit that leaves no room for one after {@code more} others; null if there is room.
   *
   * @param reserve the percentage by which the limits are larger for a caller with priority
   */
  public @Nullable Full full(ClientConnection caller, long more, int reserve) {
    long ofAddress = ofAddress(caller);
    if (isFull(taken.get() + more, ofNode, reserve)) {
      return new Full("node", ofNode);
    } else if (isFull(caller.address().taken(kind).get() + more, ofAddress, reserve)) {
      return new Full("address", ofAddress);
    } else if (isFull(caller.taken(kind).get() + more, ofConnection, reserve)) {
      return new Full("connection", ofConnection);
    }
    return null;
  }

  private static boolean isFull(long now, long most, int reserve) {
    return now * 100 >= most * (100 + reserve);
  }

  /** Returns the amount that is taken. */
  public long taken() {
    return taken.get();
  }
}
