package holdfast.watch;

import holdfast.config.WatchSettings;
import holdfast.journal.ChangeNote;
import holdfast.journal.ProtoValues;
import holdfast.journal.state.Bytes;
import holdfast.journal.state.Change;
import holdfast.journal.state.Part;
import holdfast.journal.state.PublicRecord;
import holdfast.lock.ClientId;
import holdfast.lock.Ending;
import holdfast.lock.FencingToken;
import holdfast.lock.Holder;
import holdfast.lock.HolderId;
import holdfast.lock.Life;
import holdfast.lock.Metadata;
import holdfast.lock.Request;
import holdfast.lock.RequestId;
import holdfast.lock.Ttl;
import java.time.Duration;
import java.util.List;

/** Public changes for tests, and the bounds of watches. */
public final class Changes {

  private Changes() {}

  /** A free lock becomes held, under its revision as the token. */
  public static Change granted(long revision, String key) {
    return new Change(
        revision, "lock|" + key, null, held(revision, key), note(ChangeNote.Cause.GRANTED));
  }

  /** A lock that is held since an earlier revision becomes free. */
  public static Change released(long revision, String key, long since) {
    return new Change(
        revision, "lock|" + key, held(since, key), null, note(ChangeNote.Cause.RELEASED));
  }

  /** A lock goes from one holder to the next. */
  public static Change handedOver(long revision, String key, long since) {
    return new Change(
        revision,
        "lock|" + key,
        held(since, key),
        held(revision, key),
        note(ChangeNote.Cause.HANDED_OVER));
  }

  /** A change of something that is no lock. */
  static Change ofLease(long revision) {
    return new Change(revision, "lease|7", null, held(revision, "7"), Bytes.EMPTY);
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
            cause == ChangeNote.Cause.HANDED_OVER ? Ending.Cause.RELEASED : null,
            /* forceReason= */ "")
        .toBytes();
  }

  private static PublicRecord held(long revision, String key) {
    ClientId client = new ClientId("c");
    Holder holder =
        new Holder(
            HolderId.of(client, "h" + revision),
            new Request(new RequestId.Named(client, "r" + revision), 1),
            new FencingToken(revision),
            new Life.Own(new Ttl(10_000)),
            1,
            Metadata.NONE);
    return new PublicRecord(
        "lock|" + key,
        List.of(Part.of(Bytes.of(ProtoValues.holder(holder).toByteArray()))),
        revision,
        revision,
        1);
  }
}
