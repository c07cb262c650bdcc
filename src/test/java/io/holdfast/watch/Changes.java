package io.holdfast.watch;

import io.holdfast.bytes.Bytes;
import io.holdfast.config.WatchSettings;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.journal.ChangeNote;
import io.holdfast.journal.state.Change;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.rules.GrantEnding;
import io.holdfast.wire.ProtoValues;
import java.time.Duration;
import java.util.List;

/** Public changes for tests, and the bounds of watches. */
public final class Changes {

  private Changes() {}

  /** A free lock becomes held, under its revision as the token. */
  public static Change granted(long revision, String key) {
    return new Change(
        new Revision(revision),
        new PersistenceId("lock|" + key),
        null,
        held(revision, key),
        note(ChangeNote.Cause.GRANTED));
  }

  /** A lock that is held since an earlier revision becomes free. */
  public static Change released(long revision, String key, long since) {
    return new Change(
        new Revision(revision),
        new PersistenceId("lock|" + key),
        held(since, key),
        null,
        note(ChangeNote.Cause.RELEASED));
  }

  /** A lock goes from one holder to the next. */
  public static Change handedOver(long revision, String key, long since) {
    return new Change(
        new Revision(revision),
        new PersistenceId("lock|" + key),
        held(since, key),
        held(revision, key),
        note(ChangeNote.Cause.HANDED_OVER));
  }

  /** A change of something that is no lock. */
  static Change ofLease(long revision) {
    return new Change(
        new Revision(revision),
        new PersistenceId("lease|7"),
        null,
        held(revision, "7"),
        Bytes.EMPTY);
  }

  public static LockChange ofLock(long revision, String key) {
    return LockChange.of(granted(revision, key)).orElseThrow();
  }

  /** Bounds of the history; those of the watches are wide. */
  public static WatchSettings history(int maxEvents, long maxBytes) {
    return new WatchSettings(maxEvents, maxBytes, 1_000, 10_000, Duration.ofSeconds(10));
  }

  private static Bytes note(ChangeNote.Cause cause) {
    return new ChangeNote(
            cause,
            cause == ChangeNote.Cause.HANDED_OVER ? GrantEnding.Cause.RELEASED : null,
            /* forceReason= */ "")
        .toBytes();
  }

  private static PublicRecord held(long revision, String key) {
    ClientId client = new ClientId("c");
    Holder holder =
        new Holder(
            HolderId.of(client, "h" + revision),
            new RequestHeader(new RequestId.Named(client, "r" + revision), 1),
            new FencingToken(revision),
            new Lifetime.Own(new Ttl(10_000)),
            1,
            Metadata.NONE);
    return new PublicRecord(
        new PersistenceId("lock|" + key),
        List.of(Part.of(Bytes.of(ProtoValues.holder(holder).toByteArray()))),
        new Revision(revision),
        new Revision(revision),
        1);
  }
}
