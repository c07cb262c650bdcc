package holdfast.grpc;

import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.ResponseEntity;
import akka.http.scaladsl.model.HttpEntity.ChunkStreamPart;
import akka.http.scaladsl.model.HttpEntity.Chunked;
import akka.stream.javadsl.Source;
import holdfast.grpc.guard.Caller;
import holdfast.grpc.guard.Quota;
import holdfast.v1.Reason;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers so large that it matters how long their clients take to read them: they go out in pieces,
 * and count until the last one is taken.
 */
final class LargeAnswers {

  private static final int LARGE = 32 << 10;
  private static final int PIECE = 16 << 10;

  private final Quota bytes;

  /**
   * None is under way.
   *
   * @param bytes how many may be unread
   */
  LargeAnswers(Quota bytes) {
    this.bytes = bytes;
  }

  static boolean isLarge(int size) {
    return size > LARGE;
  }

  /**
   * Refuses an answer of this size if too many are unread.
   *
   * @throws io.grpc.StatusRuntimeException the refusal
   */
  void requireRoom(Caller caller, int size) {
    Quota.Full full = bytes.full(caller, size, /* reserve= */ 0);
    if (full != null) {
      throw StatusMapping.error(
          Reason.REASON_OVERLOADED,
          "the %s has [%d] bytes of messages that are not whole or not read, the maximum"
              .formatted(full.of(), full.most()));
    }
  }

  /** The same answer, in pieces. It counts once it is being sent: what never is has no end. */
  HttpResponse counted(HttpResponse answer, Caller caller, int size) {
    Chunked whole = (Chunked) answer.entity();
    Source<ChunkStreamPart, Object> pieces =
        Source.lazySource(
                () -> {
                  bytes.count(caller, size);
                  return whole
                      .chunks()
                      .asJava()
                      .mapConcat(LargeAnswers::pieces)
                      .watchTermination(
                          (unused, ended) ->
                              ended.whenComplete((done, failure) -> bytes.give(caller, size)));
                })
            .mapMaterializedValue(unused -> (Object) unused);
    return answer.withEntity((ResponseEntity) whole.copy(whole.contentType(), pieces.asScala()));
  }

  private static List<ChunkStreamPart> pieces(ChunkStreamPart part) {
    if (part.isLastChunk() || part.data().size() <= PIECE) {
      return List.of(part);
    }
    List<ChunkStreamPart> pieces = new ArrayList<>();
    for (int from = 0; from < part.data().size(); from += PIECE) {
      pieces.add((ChunkStreamPart) ChunkStreamPart.create(part.data().slice(from, from + PIECE)));
    }
    return pieces;
  }
}
