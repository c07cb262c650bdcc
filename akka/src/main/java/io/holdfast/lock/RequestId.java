package io.holdfast.lock;

import io.holdfast.id.LeaseLife;
import java.util.Optional;

/** The id of a request. All copies of a request have the same id. */
public sealed interface RequestId {

  /** Returns the client that sent the request. */
  ClientId client();

  /** A name given by the client. The same name for another key is another request. */
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

  /** A number in the client's session. */
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
   * A random id that the client does not know, so that it cannot repeat the request. The outcome is
   * recorded only if its node has sent the request more than once.
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

  /** The cancellation of a request. It is a request itself, and may be repeated if that one may. */
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

  /** True if its client may repeat it. Its outcome is recorded then. */
  default boolean isRepeatable() {
    return true;
  }

  /** Returns its session, if it has one. Its outcome is kept no longer than the session. */
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
