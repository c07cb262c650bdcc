package holdfast.journal;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import holdfast.internal.journal.AppendBatch;
import holdfast.internal.journal.DeleteSnapshots;
import holdfast.internal.journal.JournalEntry;
import holdfast.internal.journal.SaveSnapshot;
import holdfast.journal.state.Answer;
import holdfast.journal.state.Append;
import holdfast.journal.state.Bytes;
import holdfast.journal.state.Client;
import holdfast.journal.state.JournalCommand;
import holdfast.journal.state.LeaseRef;
import holdfast.journal.state.PublicChange;
import holdfast.journal.state.Request;
import holdfast.journal.state.SavedSnapshot;
import holdfast.journal.state.SnapshotRange;
import holdfast.journal.state.Turn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Translates between the journal's commands and {@code internal/journal_log.proto}.
 *
 * <p>What cannot be read is an {@link IllegalArgumentException}.
 */
final class EntryCodec {

  /** One entry of the log: a command, and which process wrote it as its how-manieth. */
  record Entry(long writer, long number, JournalCommand command) {}

  private EntryCodec() {}

  /** The entry's bytes, behind the byte that names the journal. */
  static byte[] encode(byte code, Entry entry) {
    JournalEntry proto = proto(entry);
    byte[] bytes = new byte[1 + proto.getSerializedSize()];
    bytes[0] = code;
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes, 1, bytes.length - 1);
      proto.writeTo(out);
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot be written to", e);
    }
    return bytes;
  }

  static Entry decode(byte[] bytes) {
    try {
      CodedInputStream in =
          UnsafeByteOperations.unsafeWrap(bytes, 1, bytes.length - 1).newCodedInput();
      in.enableAliasing(true); // nobody writes to an entry, and all that is kept of it is copied
      JournalEntry proto = JournalEntry.parseFrom(in);
      return new Entry(proto.getWriter(), proto.getNumber(), command(proto));
    } catch (IOException e) {
      throw new IllegalArgumentException("an entry cannot be read: " + e.getMessage(), e);
    }
  }

  private static JournalEntry proto(Entry entry) {
    JournalEntry.Builder proto =
        JournalEntry.newBuilder().setWriter(entry.writer).setNumber(entry.number);
    return entry
        .command
        .match(
            new JournalCommand.Cases<JournalEntry.Builder>() {
              @Override
              public JournalEntry.Builder appendBatch(JournalCommand.AppendBatch batch) {
                AppendBatch.Builder appends = AppendBatch.newBuilder();
                for (Append append : batch.appends()) {
                  appends.addAppends(proto(append));
                }
                return proto.setAppend(appends);
              }

              @Override
              public JournalEntry.Builder deleteTo(JournalCommand.DeleteTo delete) {
                proto
                    .getDeleteBuilder()
                    .setTurn(proto(delete.turn()))
                    .setPersistenceId(delete.persistenceId())
                    .setToSequenceNr(delete.toSequenceNr());
                return proto;
              }

              @Override
              public JournalEntry.Builder saveSnapshot(JournalCommand.SaveSnapshot save) {
                proto
                    .getSaveSnapshotBuilder()
                    .setTurn(proto(save.turn()))
                    .setPersistenceId(save.persistenceId())
                    .setSequenceNr(save.snapshot().sequenceNr())
                    .setTimestamp(save.snapshot().timestamp())
                    .setContent(bytes(save.snapshot().content()));
                return proto;
              }

              @Override
              public JournalEntry.Builder deleteSnapshots(JournalCommand.DeleteSnapshots delete) {
                proto
                    .getDeleteSnapshotsBuilder()
                    .setTurn(proto(delete.turn()))
                    .setPersistenceId(delete.persistenceId())
                    .setMinSequenceNr(delete.range().minSequenceNr())
                    .setMaxSequenceNr(delete.range().maxSequenceNr())
                    .setMinTimestamp(delete.range().minTimestamp())
                    .setMaxTimestamp(delete.range().maxTimestamp());
                return proto;
              }
            })
        .build();
  }

  private static JournalCommand command(JournalEntry proto) {
    return switch (proto.getCommandCase()) {
      case APPEND ->
          new JournalCommand.AppendBatch(
              each(proto.getAppend().getAppendsList(), EntryCodec::append));
      case DELETE ->
          new JournalCommand.DeleteTo(
              turn(proto.getDelete().getTurn()),
              proto.getDelete().getPersistenceId(),
              proto.getDelete().getToSequenceNr());
      case SAVE_SNAPSHOT -> {
        SaveSnapshot save = proto.getSaveSnapshot();
        yield new JournalCommand.SaveSnapshot(
            turn(save.getTurn()),
            save.getPersistenceId(),
            new SavedSnapshot(save.getSequenceNr(), save.getTimestamp(), bytes(save.getContent())));
      }
      case DELETE_SNAPSHOTS -> {
        DeleteSnapshots delete = proto.getDeleteSnapshots();
        yield new JournalCommand.DeleteSnapshots(
            turn(delete.getTurn()),
            delete.getPersistenceId(),
            new SnapshotRange(
                delete.getMinSequenceNr(),
                delete.getMaxSequenceNr(),
                delete.getMinTimestamp(),
                delete.getMaxTimestamp()));
      }
      case COMMAND_NOT_SET -> throw new IllegalArgumentException("no command that is known here");
    };
  }

  private static holdfast.internal.journal.Append proto(Append append) {
    holdfast.internal.journal.Append.Builder proto =
        holdfast.internal.journal.Append.newBuilder()
            .setTurn(proto(append.turn()))
            .setPersistenceId(append.persistenceId())
            .setSequenceNr(append.sequenceNr())
            .setTombstone(append.tombstone());
    for (Bytes event : append.events()) {
      proto.addEvents(bytes(event));
    }
    Bytes state = append.state();
    if (state != null) {
      proto.setState(bytes(state));
    }
    if (append.publicChange() instanceof PublicChange.Set set) {
      proto.getPublicChangeBuilder().setSet(bytes(set.content()));
    } else if (append.publicChange() instanceof PublicChange.Absent) {
      proto.getPublicChangeBuilder().setAbsent(true);
    } else if (!(append.publicChange() instanceof PublicChange.None)) {
      throw new AssertionError(append.publicChange());
    }
    for (LeaseRef lease : append.leases()) {
      proto.addLeases(proto(lease));
    }
    for (Answer answer : append.answers()) {
      proto.addAnswers(proto(answer));
    }
    for (LeaseRef lease : append.whileAlive()) {
      proto.addWhileAlive(proto(lease));
    }
    return proto.build();
  }

  private static Append append(holdfast.internal.journal.Append proto) {
    return new Append(
        turn(proto.getTurn()),
        proto.getPersistenceId(),
        proto.getSequenceNr(),
        each(proto.getEventsList(), EntryCodec::bytes),
        proto.hasState() ? bytes(proto.getState()) : null,
        change(proto.getPublicChange()),
        each(proto.getLeasesList(), EntryCodec::lease),
        each(proto.getAnswersList(), EntryCodec::answer),
        each(proto.getWhileAliveList(), EntryCodec::lease),
        proto.getTombstone());
  }

  /** Most lists are empty or have one element, and there are many. */
  private static <A, B> List<B> each(List<A> all, Function<A, B> translated) {
    if (all.isEmpty()) {
      return List.of();
    } else if (all.size() == 1) {
      return List.of(translated.apply(all.get(0)));
    }
    List<B> list = new ArrayList<>(all.size());
    for (A one : all) {
      list.add(translated.apply(one));
    }
    return list;
  }

  private static PublicChange change(holdfast.internal.journal.PublicChange proto) {
    return switch (proto.getChangeCase()) {
      case SET -> new PublicChange.Set(bytes(proto.getSet()));
      case ABSENT -> new PublicChange.Absent();
      case CHANGE_NOT_SET -> new PublicChange.None();
    };
  }

  private static holdfast.internal.journal.Answer proto(Answer answer) {
    holdfast.internal.journal.Answer.Builder proto =
        holdfast.internal.journal.Answer.newBuilder()
            .setNumber(answer.request().number())
            .setLowestOpen(answer.request().lowestOpen())
            .setOutcome(bytes(answer.outcome()));
    Client client = answer.request().client();
    if (client instanceof Client.Session session) {
      return proto.setSession(proto(session.lease())).build();
    } else if (client instanceof Client.Named named) {
      return proto.setNamed(named.name()).build();
    }
    throw new AssertionError(client);
  }

  private static Answer answer(holdfast.internal.journal.Answer proto) {
    Client client =
        switch (proto.getClientCase()) {
          case SESSION -> new Client.Session(lease(proto.getSession()));
          case NAMED -> new Client.Named(proto.getNamed());
          case CLIENT_NOT_SET -> throw new IllegalArgumentException("no client that is known here");
        };
    return new Answer(
        new Request(client, proto.getNumber(), proto.getLowestOpen()), bytes(proto.getOutcome()));
  }

  private static holdfast.internal.journal.Turn proto(Turn turn) {
    return holdfast.internal.journal.Turn.newBuilder()
        .setShard(turn.shard())
        .setEpoch(turn.epoch())
        .setNumber(turn.number())
        .build();
  }

  private static Turn turn(holdfast.internal.journal.Turn proto) {
    return new Turn(proto.getShard(), proto.getEpoch(), proto.getNumber());
  }

  private static holdfast.internal.journal.LeaseRef proto(LeaseRef lease) {
    return holdfast.internal.journal.LeaseRef.newBuilder()
        .setId(lease.id())
        .setIncarnation(lease.incarnation())
        .build();
  }

  private static LeaseRef lease(holdfast.internal.journal.LeaseRef proto) {
    return new LeaseRef(proto.getId(), proto.getIncarnation());
  }

  private static ByteString bytes(Bytes bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes.array());
  }

  private static Bytes bytes(ByteString bytes) {
    return Bytes.of(bytes.toByteArray());
  }
}
