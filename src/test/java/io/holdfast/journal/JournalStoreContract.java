package io.holdfast.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Change;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.LeaseChange;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of every journal store. */
abstract class JournalStoreContract {

  static final ShardId SHARD = ShardId.of(5);
  static final Bounds BOUNDS = new Bounds(1_000, 1024, 16, 16, 16);

  final AtomicLong epoch = new AtomicLong(1);

  abstract JournalStore store();

  abstract ChangeFeed feed();

  abstract LeaseEndFeed ends();

  @Test
  void appends_are_applied_in_their_order() {
    List<CompletionStage<Verdict>> all = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      all.add(append(1, "id", i));
    }
    all.forEach(each -> assertEquals(new Verdict.Applied(new Revision(0), 0), await(each)));
    assertEquals(100, store().version().replay(SHARD, new PersistenceId("id"), 1).events().size());
    assertEquals(
        100, store().version().highestSequenceNr(SHARD, new PersistenceId("id")).orElse(0));
  }

  @Test
  void a_settled_version_has_all_earlier_appends() {
    for (int i = 1; i <= 20; i++) {
      CompletionStage<Verdict> unused = append(1, "id", i);
    }
    JournalVersion settled = await(store().settled(SHARD));
    assertEquals(20, settled.highestSequenceNr(SHARD, new PersistenceId("id")).orElse(0));
  }

  @Test
  void an_old_epoch_is_fenced_and_the_next_one_continues() {
    assertInstanceOf(Verdict.Applied.class, await(append(1, "id", 1)));
    epoch.set(2);
    assertEquals(new Verdict.Fenced(new Epoch(2)), await(append(1, "id", 2)));
    assertInstanceOf(Verdict.Applied.class, await(append(2, "id", 2)));
    assertEquals(new Verdict.Fenced(new Epoch(2)), await(append(1, "id", 3)));
    assertInstanceOf(Verdict.Applied.class, await(append(2, "id", 3)));
    assertEquals(3, store().version().highestSequenceNr(SHARD, new PersistenceId("id")).orElse(0));
  }

  @Test
  void a_refused_append_does_not_stop_those_behind_it() {
    assertEquals(new Verdict.WrongSequence(0), await(append(1, "id", 7)));
    assertInstanceOf(Verdict.Applied.class, await(append(1, "id", 1)));
  }

  @Test
  void an_append_that_cannot_be_made_leaves_no_gap() {
    try {
      CompletionStage<Verdict> unused =
          store()
              .append(
                  SHARD,
                  new Epoch(1),
                  appendId -> {
                    throw new IllegalArgumentException("too large");
                  });
    } catch (IllegalArgumentException e) {
      assertEquals("too large", e.getMessage());
    }
    assertInstanceOf(Verdict.Applied.class, await(append(1, "id", 1)));
  }

  @Test
  void a_follower_hears_a_change_before_its_writer_does() {
    List<String> heard = new CopyOnWriteArrayList<>();
    feed()
        .follow(
            new ChangeFeed.Follower() {
              @Override
              public void changed(List<Change> changes, Revision revision) {
                boolean isVisible = store().version().revision().equals(revision);
                changes.forEach(
                    change -> heard.add(change.id() + "@" + change.revision() + isVisible));
              }

              @Override
              public void restored(Revision revision) {
                heard.add("restored");
              }
            });
    ends()
        .listen(
            end -> {
              boolean isDead = store().version().lease(end.lease().id()).isEmpty();
              heard.add("end of " + end.lease().id() + " " + end.had().size() + isDead);
            });
    PublicChange set = PublicChange.Set.of(Bytes.of("record"));
    LeaseLife lease = LeaseLife.of(new LeaseId(7), new Revision(1));
    List<Part> held = List.of(new Part(Bytes.of("held"), lease));
    told(heard, append("lease", 1, set, new LeaseChange.Begins(new LeaseId(7))));
    told(heard, append("id", 1, new PublicChange.Set(held, Bytes.EMPTY), null));
    told(heard, append("quiet", 1, null, null));
    told(heard, append("lease", 2, absent(), new LeaseChange.Ends(lease)));
    assertEquals(
        List.of(
            "lease@1true",
            "told 1",
            "id@2true",
            "told 2",
            "told 2",
            "id@3true",
            "lease@3true",
            "end of 7 1true",
            "told 3"),
        heard);
  }

  private static PublicChange absent() {
    return new PublicChange.Absent(Bytes.EMPTY);
  }

  private void told(List<String> heard, CompletionStage<Verdict> verdict) {
    await(
        verdict.thenAccept(
            applied -> {
              Revision revision = ((Verdict.Applied) applied).revision();
              assertEquals(revision, store().version().revision());
              heard.add("told " + revision);
            }));
  }

  private CompletionStage<Verdict> append(
      String id,
      long sequenceNr,
      @Nullable PublicChange change,
      @Nullable LeaseChange leaseChange) {
    return store()
        .append(
            SHARD,
            new Epoch(1),
            appendId ->
                new Append(
                    appendId,
                    new PersistenceId(id),
                    sequenceNr,
                    Bytes.of("event"),
                    null,
                    new Draft(
                        change == null ? List.of() : List.of(change),
                        leaseChange,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        false,
                        0,
                        Need.NOTHING,
                        /* waiters= */ 0)));
  }

  private CompletionStage<Verdict> append(long epoch, String id, long sequenceNr) {
    return store()
        .append(
            SHARD,
            new Epoch(epoch),
            appendId ->
                new Append(
                    appendId,
                    new PersistenceId(id),
                    sequenceNr,
                    Bytes.of("event"),
                    null,
                    Draft.NONE));
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
  }
}
