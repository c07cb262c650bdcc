package io.holdfast.coordination.following;

import akka.serialization.SerializerWithStringManifest;
import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.UnsafeByteOperations;
import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.member.CoordinationReplica.Written;
import io.holdfast.internal.cluster.LogBegin;
import io.holdfast.internal.cluster.LogCatch;
import io.holdfast.internal.cluster.LogCaught;
import io.holdfast.internal.cluster.LogEntries;
import io.holdfast.internal.cluster.LogFollow;
import io.holdfast.internal.cluster.LogImagePart;
import io.holdfast.internal.cluster.LogPropose;
import io.holdfast.internal.cluster.LogProposed;
import io.holdfast.internal.cluster.LogStanding;
import java.io.IOException;
import java.io.NotSerializableException;

/** Writes and reads what services and nodes say of the log; {@code internal/cluster.proto}. */
public final class LogMessageSerializer extends SerializerWithStringManifest {

  private static final String BEGIN = "log.begin.1";
  private static final String FOLLOW = "log.follow.1";
  private static final String PROPOSE = "log.propose.1";
  private static final String CATCH = "log.catch.1";
  private static final String IMAGE_PART = "log.image-part.1";
  private static final String ENTRIES = "log.entries.1";
  private static final String PROPOSED = "log.proposed.1";
  private static final String CAUGHT = "log.caught.1";
  private static final String STANDING = "log.standing.1";

  @Override
  public int identifier() {
    return 74003;
  }

  @Override
  public String manifest(Object message) {
    if (message instanceof LogMessage.Entries) {
      return ENTRIES;
    } else if (message instanceof LogMessage.FollowStatus) {
      return STANDING;
    } else if (message instanceof LogMessage.Follow) {
      return FOLLOW;
    } else if (message instanceof LogMessage.Propose) {
      return PROPOSE;
    } else if (message instanceof LogMessage.Proposed) {
      return PROPOSED;
    } else if (message instanceof LogMessage.Begin) {
      return BEGIN;
    } else if (message instanceof LogMessage.ImagePart) {
      return IMAGE_PART;
    } else if (message instanceof LogMessage.Catch) {
      return CATCH;
    } else if (message instanceof LogMessage.Caught) {
      return CAUGHT;
    }
    throw new IllegalArgumentException("not a message about the log: [" + message + "]");
  }

  @Override
  public byte[] toBinary(Object message) {
    return proto(message).toByteArray();
  }

  private static MessageLite proto(Object message) {
    if (message instanceof LogMessage.Entries entries) {
      LogEntries.Builder proto = LogEntries.newBuilder().setAfter(entries.after());
      entries
          .entries()
          .forEach(
              entry ->
                  proto.addEntries(
                      LogEntries.Entry.newBuilder()
                          .setIndex(entry.index())
                          .setPayload(bytes(entry.payload()))));
      return proto.build();
    } else if (message instanceof LogMessage.FollowStatus status) {
      return LogStanding.newBuilder().setTold(status.told()).setServes(status.serves()).build();
    } else if (message instanceof LogMessage.Follow) {
      return LogFollow.getDefaultInstance();
    } else if (message instanceof LogMessage.Propose propose) {
      return LogPropose.newBuilder()
          .setNumber(propose.number())
          .setPayload(bytes(propose.payload()))
          .build();
    } else if (message instanceof LogMessage.Proposed proposed) {
      return LogProposed.newBuilder()
          .setNumber(proposed.number())
          .setBecame(became(proposed.became()))
          .build();
    } else if (message instanceof LogMessage.Begin begin) {
      return LogBegin.newBuilder().setApplied(begin.applied()).build();
    } else if (message instanceof LogMessage.ImagePart part) {
      return LogImagePart.newBuilder()
          .setIndex(part.index())
          .setOffset(part.offset())
          .setTotal(part.total())
          .setBytes(bytes(part.bytes()))
          .build();
    } else if (message instanceof LogMessage.Catch asked) {
      return LogCatch.newBuilder().setNumber(asked.number()).build();
    } else if (message instanceof LogMessage.Caught caught) {
      return LogCaught.newBuilder().setNumber(caught.number()).setSafe(caught.isSafe()).build();
    }
    throw new IllegalArgumentException("not a message about the log: [" + message + "]");
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    try {
      return switch (manifest) {
        case ENTRIES -> {
          LogEntries entries = LogEntries.parseFrom(bytes);
          yield new LogMessage.Entries(
              entries.getAfter(),
              entries.getEntriesList().stream()
                  .map(entry -> new Written(entry.getIndex(), read(entry.getPayload())))
                  .toList());
        }
        case STANDING -> {
          LogStanding standing = LogStanding.parseFrom(bytes);
          yield new LogMessage.FollowStatus(standing.getTold(), standing.getServes());
        }
        case FOLLOW -> new LogMessage.Follow();
        case PROPOSE -> {
          LogPropose propose = LogPropose.parseFrom(bytes);
          yield new LogMessage.Propose(propose.getNumber(), read(propose.getPayload()));
        }
        case PROPOSED -> {
          LogProposed proposed = LogProposed.parseFrom(bytes);
          yield new LogMessage.Proposed(proposed.getNumber(), became(proposed.getBecame()));
        }
        case BEGIN -> new LogMessage.Begin(LogBegin.parseFrom(bytes).getApplied());
        case IMAGE_PART -> {
          LogImagePart part = LogImagePart.parseFrom(bytes);
          yield new LogMessage.ImagePart(
              part.getIndex(), part.getOffset(), part.getTotal(), read(part.getBytes()));
        }
        case CATCH -> new LogMessage.Catch(LogCatch.parseFrom(bytes).getNumber());
        case CAUGHT -> {
          LogCaught caught = LogCaught.parseFrom(bytes);
          yield new LogMessage.Caught(caught.getNumber(), caught.getSafe());
        }
        default -> throw new NotSerializableException("unknown manifest [" + manifest + "]");
      };
    } catch (NotSerializableException e) {
      throw e;
    } catch (IOException e) {
      NotSerializableException unreadable =
          new NotSerializableException("[" + manifest + "] cannot be read: " + e.getMessage());
      unreadable.initCause(e);
      throw unreadable;
    }
  }

  private static ByteString bytes(Bytes content) {
    return UnsafeByteOperations.unsafeWrap(content.array());
  }

  private static Bytes read(ByteString content) {
    return Bytes.of(content.toByteArray());
  }

  private static LogProposed.Became became(LogMessage.Became became) {
    return switch (became) {
      case APPLIED -> LogProposed.Became.BECAME_APPLIED;
      case REFUSED -> LogProposed.Became.BECAME_REFUSED;
      case UNKNOWN -> LogProposed.Became.BECAME_UNKNOWN;
    };
  }

  private static LogMessage.Became became(LogProposed.Became became) {
    return switch (became) {
      case BECAME_APPLIED -> LogMessage.Became.APPLIED;
      case BECAME_REFUSED -> LogMessage.Became.REFUSED;
      case BECAME_UNKNOWN, UNRECOGNIZED -> LogMessage.Became.UNKNOWN;
    };
  }
}
