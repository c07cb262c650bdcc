package io.holdfast.grpc.admin;

import akka.NotUsed;
import akka.stream.javadsl.Source;
import akka.stream.javadsl.StreamConverters;
import com.google.protobuf.UnsafeByteOperations;
import io.holdfast.coordination.StateCopies;
import io.holdfast.coordination.StateCopies.Copy;
import io.holdfast.coordination.StateCopies.Facts;
import io.holdfast.grpc.call.CallRunner;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Header;
import io.holdfast.v1.MemberRecord;
import io.holdfast.v1.Reason;
import io.holdfast.v1.SnapshotHeader;
import io.holdfast.v1.SnapshotResponse;
import io.holdfast.v1.SnapshotSum;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Streams a snapshot of the state to a client, one at a time. A thread of its own writes it at the
 * client's pace.
 */
final class SnapshotStream {

  /** The format of the bytes, as numbered in the contract. */
  private static final int STATE_FORMAT = 1;

  private static final int CHUNK_BYTES = 256 << 10;

  /** The transfer fails if the client reads nothing for this time. */
  private static final Duration READ_WITHIN = Duration.ofSeconds(30);

  private final StateCopies copies;
  private final Supplier<Header> header;
  private final LongSupplier wallMs;
  private final String version;
  private final AtomicBoolean isBusy = new AtomicBoolean();

  SnapshotStream(StateCopies copies, Supplier<Header> header, LongSupplier wallMs, String version) {
    this.copies = copies;
    this.header = header;
    this.wallMs = wallMs;
    this.version = version;
  }

  /** Streams a snapshot of the state that is applied when the stage has completed. */
  Source<SnapshotResponse, NotUsed> after(Supplier<CompletionStage<Boolean>> ready) {
    return Source.lazySource(() -> begin(ready))
        .mapMaterializedValue(begun -> NotUsed.getInstance())
        .mapError(
            Throwable.class, failure -> StatusMapping.by(header.get(), CallRunner.status(failure)));
  }

  private Source<SnapshotResponse, NotUsed> begin(Supplier<CompletionStage<Boolean>> ready) {
    if (!isBusy.compareAndSet(false, true)) {
      return Source.failed(
          StatusMapping.error(
              Reason.REASON_TOO_MANY_STREAMS, "this node is making a copy already, [1] at a time"));
    }
    CopyTransfer transfer = new CopyTransfer();
    CompletionStage<Copy> taking = ready.get().thenCompose(safe -> copies.take());
    return Source.completionStageSource(taking.thenApply(transfer::pieces))
        .watchTermination(
            (begun, ended) -> {
              var unused = ended.whenComplete((done, failure) -> transfer.ended(taking));
              return NotUsed.getInstance();
            });
  }

  /**
   * The transfer of one snapshot. It is released once, by the writing thread, or by {@link #ended}
   * if that never starts.
   */
  private final class CopyTransfer {

    private final AtomicBoolean isTaken = new AtomicBoolean();
    private final CompletableFuture<SnapshotResponse> first = new CompletableFuture<>();
    private final CompletableFuture<SnapshotResponse> last = new CompletableFuture<>();
    private volatile @Nullable Thread writer;

    Source<SnapshotResponse, NotUsed> pieces(Copy copy) {
      Source<SnapshotResponse, NotUsed> chunks =
          StreamConverters.asOutputStream(READ_WITHIN)
              .mapMaterializedValue(
                  out -> {
                    if (isTaken.compareAndSet(false, true)) {
                      start(copy, out);
                    }
                    return NotUsed.getInstance();
                  })
              .map(
                  bytes ->
                      SnapshotResponse.newBuilder()
                          .setChunk(UnsafeByteOperations.unsafeWrap(bytes.toArrayUnsafe()))
                          .build());
      return Source.completionStage(first).concat(chunks).concat(Source.completionStage(last));
    }

    private void start(Copy copy, OutputStream out) {
      Thread thread = new Thread(() -> write(copy, out), "snapshot-copy");
      thread.setDaemon(true);
      writer = thread;
      thread.start();
    }

    private void write(Copy copy, OutputStream out) {
      try (copy;
          out) {
        first.complete(header(copy.facts()));
        last.complete(bytes(copy, out));
      } catch (Exception e) { // also an interrupt, which the stream does not declare
        first.completeExceptionally(e);
        last.completeExceptionally(e);
      } finally {
        isBusy.set(false);
      }
    }

    /**
     * Handles the end of the stream. The writing thread may be blocked by a client that does not
     * read.
     */
    void ended(CompletionStage<Copy> taking) {
      Thread writing = writer;
      if (isTaken.compareAndSet(false, true)) {
        isBusy.set(false);
        var unused = taking.thenAccept(Copy::close);
      } else if (writing != null) {
        writing.interrupt();
      }
    }
  }

  private SnapshotResponse header(Facts facts) {
    return SnapshotResponse.newBuilder()
        .setHeader(
            SnapshotHeader.newBuilder()
                .setHeader(header.get().toBuilder().setRevision(facts.revision().value()))
                .setAppliedIndex(facts.appliedIndex())
                .setLockCount(facts.locks())
                .setLeaseCount(facts.leases())
                .setShardCount(facts.cluster().shards())
                .setGeneration(facts.cluster().generation())
                .addAllMembers(
                    AdminWriter.members(facts.cluster()).stream()
                        .map(member -> MemberRecord.newBuilder(member).clearSession().build())
                        .toList())
                .setVersion(version)
                .setTakenUnixMs(wallMs.getAsLong())
                .setStateFormat(STATE_FORMAT))
        .build();
  }

  private static SnapshotResponse bytes(Copy copy, OutputStream out) throws IOException {
    MessageDigest digest = sha256();
    CountingStream counted = new CountingStream(out);
    DigestOutputStream summed = new DigestOutputStream(counted, digest);
    BufferedOutputStream chunks = new BufferedOutputStream(summed, CHUNK_BYTES);
    copy.writeTo(chunks);
    chunks.flush();
    return SnapshotResponse.newBuilder()
        .setSum(
            SnapshotSum.newBuilder()
                .setSize(counted.count)
                .setSha256(UnsafeByteOperations.unsafeWrap(digest.digest())))
        .build();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** A stream that counts its bytes. */
  private static final class CountingStream extends java.io.FilterOutputStream {
    private long count;

    CountingStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      count += length;
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      count++;
    }
  }
}
