package io.holdfast.grpc.session;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.lock.LeaseLife;
import io.holdfast.lock.LockKey;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionResponse;
import io.holdfast.v1.ValidateRequest;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.Renewal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The node as the core of a session's stream needs it. Nothing is answered here: what comes of it
 * is handed to the core later, as the {@link SessionMessage} that each method names.
 */
interface SessionPort {

  /** Throws the refusal of a node that may not act. */
  void requireServing();

  /** Whether the node will stop soon. */
  boolean isLeaving();

  /** Opens or finds the session: {@link SessionMessage.Opened}. */
  void open(SessionOpen request);

  /** This stream serves the session from now on; another one of this node hears of that. */
  void join(LeaseLife session);

  /** Sends these to a lock, to be decided together: {@link LockAnswer} for each. */
  void tell(LockKey key, List<LockMessage.Handle> messages);

  /** Sends one again. */
  void tell(LockKey key, LockMessage.Handle message);

  /** Looks a shared lease up: {@link SessionMessage.Found}. */
  void find(LockKey key, long number, LockRequest request);

  /** Gives a sign of life: {@link SessionMessage.Done}. */
  void renew(LockKey key, long number, RenewRequest request, Renewal renewal);

  /** Reads a lock: {@link SessionMessage.Done}. */
  void get(long number, GetLockRequest request);

  /** Looks a token up: {@link SessionMessage.Done}. */
  void validate(long number, ValidateRequest request);

  /** Keeps the session alive: {@link SessionMessage.KeptAlive}. */
  void keepAlive(long number, LeaseLife session);

  /** Ends the session: {@link SessionMessage.Revoked}. */
  void revoke(LeaseLife session);

  /** Has {@link SessionMessage.Tick#FLUSH} come behind whatever else has come by now. */
  void flushSoon();

  /** Gives the client a frame; it says when it can take another. */
  void give(SessionResponse frame);

  /** The frame that came last has begun, and its operations count by themselves. */
  void begun();

  /** Lets the client's next frame come. */
  void take();

  /** Ends the stream, in good order or by this error. */
  void end(@Nullable StatusRuntimeException error);

  /** Which bound of open operations leaves no room for one behind so many more; null: none. */
  Quota.@Nullable Full fullOfOpen(int more);

  /**
   * Whether the node can begin another command behind so many more.
   *
   * @param goesFirst whether somebody who holds or waits asks, for whom there is a reserve
   */
  boolean hasRoom(int more, boolean goesFirst);

  /** Whether the node can hold more bytes that the client has not read. */
  boolean hasRoomForAnswers();

  /** So many more bytes wait for the client, or fewer. */
  void countUnread(int more);

  /** True if the node can hold more operations that wait to begin. */
  boolean hasRoomToWait();

  /** So many more bytes wait to begin, or fewer. */
  void countWaiting(int more);

  /**
   * So many more are open on the connection, or fewer.
   *
   * @param underWay how many of them do not wait in line
   */
  void count(int open, int underWay);
}
