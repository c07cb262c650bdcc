package io.holdfast.grpc.call;

import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.grpc.translate.PageToken;
import io.holdfast.grpc.translate.RecordWriter;
import io.holdfast.grpc.translate.RemainingTtls;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.hosting.LockDetails;
import io.holdfast.hosting.LockQueries;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.LockKey;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.ValidateRequest;
import io.holdfast.v1.ValidateResponse;
import io.holdfast.wire.Renewal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The calls that read locks. */
public final class ReadCalls {

  private static final int MAX_WAITERS = 1_000;
  private static final int MAX_WAITERS_IN_LIST = 100;
  private static final int MAX_PAGE = 1_000;
  private static final int USUAL_PAGE = 100;

  /** The limit of the bytes in a page. */
  private static final int MAX_PAGE_BYTES = 900_000;

  private final LockQueries reads;
  private final AnswerWriter writer;
  private final RemainingTtls remaining;

  public ReadCalls(LockQueries reads, AnswerWriter writer, RemainingTtls remaining) {
    this.reads = reads;
    this.writer = writer;
    this.remaining = remaining;
  }

  public CompletionStage<GetLockResponse> get(GetLockRequest request) {
    LockKey key = RequestReader.key(request.getKey());
    int limit = RequestReader.size("waiter_limit", request.getWaiterLimit(), 0, MAX_WAITERS);
    return reads
        .lock(key, !request.getSerializable(), limit)
        .thenCompose(read -> left(request.getRemainingTtl(), read, List.of(read.value())))
        .thenApply(
            known -> {
              LockQueries.Read<LockDetails> read = known.read();
              LockDetails lock = read.value();
              GetLockResponse.Builder response =
                  GetLockResponse.newBuilder()
                      .setHeader(writer.header(read.revision()))
                      .setWaiterCount(lock.waiting());
              writer.owner(key, response::setOwner);
              if (!lock.holders().isEmpty()) {
                response.setLock(RecordWriter.record(lock, known.left()));
              }
              for (int i = 0; i < lock.waiters().size(); i++) {
                response.addWaiters(RecordWriter.waiter(lock.waiters().get(i), i + 1));
              }
              return response.build();
            });
  }

  public CompletionStage<ListLocksResponse> list(ListLocksRequest request) {
    String prefix = RequestReader.prefix(request.getPrefix());
    int size = RequestReader.size("page_size", request.getPageSize(), USUAL_PAGE, MAX_PAGE);
    int limit =
        RequestReader.size("waiter_limit", request.getWaiterLimit(), 0, MAX_WAITERS_IN_LIST);
    String list = "locks under " + prefix;
    String after = RequestReader.after(PageToken.read(list, request.getPageToken()));
    return reads
        .locks(prefix, after, size, !request.getSerializable(), limit)
        .thenCompose(read -> left(request.getRemainingTtl(), read, read.value()))
        .thenApply(known -> page(known.read(), known.left(), list, size));
  }

  /** The result of a read, with the remaining ttls of the holders in it. */
  private record ReadWithTtls<T>(LockQueries.Read<T> read, Map<Renewal, Long> left) {}

  private <T> CompletionStage<ReadWithTtls<T>> left(
      boolean asked, LockQueries.Read<T> read, List<LockDetails> locks) {
    if (!asked) {
      return CompletableFuture.completedFuture(new ReadWithTtls<>(read, Map.of()));
    }
    Set<Renewal> signs = new HashSet<>();
    for (LockDetails lock : locks) {
      lock.holders().forEach(holder -> signs.add(RemainingTtls.of(lock.key(), holder)));
    }
    return remaining.of(signs).thenApply(left -> new ReadWithTtls<>(read, left));
  }

  private ListLocksResponse page(
      LockQueries.Read<List<LockDetails>> read, Map<Renewal, Long> left, String list, int size) {
    ListLocksResponse.Builder response =
        ListLocksResponse.newBuilder().setHeader(writer.header(read.revision()));
    int bytes = 0;
    String last = "";
    for (LockDetails lock : read.value()) {
      ListLocksResponse.Entry entry = entry(lock, left);
      bytes += entry.getSerializedSize();
      if (bytes > MAX_PAGE_BYTES && response.getEntriesCount() > 0) {
        return response.setNextPageToken(PageToken.write(list, last)).build();
      }
      response.addEntries(entry);
      last = lock.key().value();
    }
    if (read.value().size() == size) {
      response.setNextPageToken(PageToken.write(list, last));
    }
    return response.build();
  }

  private static ListLocksResponse.Entry entry(LockDetails lock, Map<Renewal, Long> left) {
    ListLocksResponse.Entry.Builder entry =
        ListLocksResponse.Entry.newBuilder()
            .setLock(RecordWriter.record(lock, left))
            .setWaiterCount(lock.waiting());
    for (int i = 0; i < lock.waiters().size(); i++) {
      entry.addWaiters(RecordWriter.waiter(lock.waiters().get(i), i + 1));
    }
    return entry.build();
  }

  public CompletionStage<ValidateResponse> validate(ValidateRequest request) {
    LockKey key = RequestReader.key(request.getKey());
    FencingToken token = RequestReader.token(request.getFencingToken());
    return reads
        .lock(key, !request.getSerializable(), 0)
        .thenApply(
            read -> {
              ValidateResponse.Builder response =
                  ValidateResponse.newBuilder().setHeader(writer.header(read.revision()));
              for (Holder holder : read.value().holders()) {
                response.setNewestFencingToken(
                    Math.max(response.getNewestFencingToken(), holder.token().value()));
                if (holder.token().equals(token)) {
                  response.setHeldNow(true).setHolder(RecordWriter.holder(holder));
                }
              }
              return response.build();
            });
  }
}
