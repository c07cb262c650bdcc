package io.holdfast.lock;

import java.util.Optional;

/** Which request: it keeps its id over all the times it is sent. */
public sealed interface RequestId {

  /** Who asks. */
  ClientId client();

  /** By a name that the client gave it. It is another request for another key. */
  record Named(ClientId client, String value) implements RequestId {

    public static final int MAX_BYTES = 128;

    public Named {
      Text.require("request_id", value, MAX_BYTES);
    }

    @Override
    public String toString() {
      return client + "/" + value;
    }
  }

  /** By its number in the client's session. */
  record Numbered(ClientId client, LeaseLife session, long number) implements RequestId {

    public Numbered {
      OutOfBound.check("number", number, 1, Long.MAX_VALUE);
    }

    @Override
    public Optional<LeaseLife> keptBy() {
      return Optional.of(session);
    }

    @Override
    public String toString() {
      return session.id() + "#" + number;
    }
  }

  /**
   * By a random name that the client does not know: it cannot repeat it. Its outcome is kept only
   * if its node has sent it more than once.
   */
  record Once(ClientId client, long value) implements RequestId {

    @Override
    public boolean isRepeatable() {
      return false;
    }

    @Override
    public String toString() {
      return client + "/once-" + Long.toHexString(value);
    }
  }

  /** The cancelling of a request, which is a request itself: it may come again as that may. */
  record Cancelling(RequestId of) implements RequestId {

    @Override
    public ClientId client() {
      return of.client();
    }

    @Override
    public boolean isRepeatable() {
      return of.isRepeatable();
    }

    @Override
    public Optional<LeaseLife> keptBy() {
      return of.keptBy();
    }

    @Override
    public String toString() {
      return "cancelling " + of;
    }
  }

  /** Whether its client may repeat it: then its outcome is kept for that. */
  default boolean isRepeatable() {
    return true;
  }

  /** The session that it belongs to: its outcome is not kept for longer than that. */
  default Optional<LeaseLife> keptBy() {
    return Optional.empty();
  }

  /** One result for each kind of id; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R named(Named named);

    R numbered(Numbered numbered);

    R once(Once once);

    R cancelling(Cancelling cancelling);
  }

  /** Answers with the case of this id's kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Named named) {
      return cases.named(named);
    } else if (this instanceof Numbered numbered) {
      return cases.numbered(numbered);
    } else if (this instanceof Once once) {
      return cases.once(once);
    } else if (this instanceof Cancelling cancelling) {
      return cases.cancelling(cancelling);
    }
    throw new AssertionError(this);
  }
}
