package io.holdfast.cli;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.Header;
import io.holdfast.v1.Holder;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.LockRecord;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.StatusRequest;
import io.holdfast.v1.StatusResponse;
import io.holdfast.v1.UnlockRequest;
import io.holdfast.v1.UnlockResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;

/**
 * Runs the usual commands against a node that is none, so that the JVM which makes the archive of
 * classes has seen those that they need.
 */
final class Training {

  private static final Holder SOMEBODY =
      Holder.newBuilder().setFencingToken(1).setClientId("c").setHolderId("h").build();
  private static final LockRecord LOCK = LockRecord.newBuilder().addHolders(SOMEBODY).build();

  private Training() {}

  public static void main(String[] args) throws IOException {
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(new Locks())
            .addService(new Admin())
            .build()
            .start();
    String endpoint = "127.0.0.1:" + server.getPort();
    for (String command :
        List.of(
            "--version",
            "get k",
            "get k --output json",
            "list --output json",
            "try-lock k --output json",
            "unlock k 1",
            "status",
            "member nonsense")) {
      String[] words = command.split(" ");
      boolean asks = !command.startsWith("-") && !command.startsWith("member");
      HoldfastCommand.commandLine(words)
          .setOut(new PrintWriter(Writer.nullWriter()))
          .setErr(new PrintWriter(Writer.nullWriter()))
          .execute(asks ? with(words, option(words[0]), endpoint) : words);
    }
    server.shutdownNow();
  }

  private static String option(String command) {
    return command.equals("status") ? AdminConnection.OPTION : "--endpoint";
  }

  private static String[] with(String[] words, String... more) {
    return java.util.stream.Stream.concat(List.of(words).stream(), List.of(more).stream())
        .toArray(String[]::new);
  }

  private static <T> void answer(StreamObserver<T> observer, T answer) {
    observer.onNext(answer);
    observer.onCompleted();
  }

  private static final class Locks extends LockServiceGrpc.LockServiceImplBase {

    @Override
    public void getLock(GetLockRequest request, StreamObserver<GetLockResponse> observer) {
      answer(observer, GetLockResponse.newBuilder().setLock(LOCK).build());
    }

    @Override
    public void listLocks(ListLocksRequest request, StreamObserver<ListLocksResponse> observer) {
      answer(
          observer,
          ListLocksResponse.newBuilder()
              .setHeader(Header.getDefaultInstance())
              .addEntries(ListLocksResponse.Entry.newBuilder().setLock(LOCK))
              .build());
    }

    @Override
    public void tryLock(LockRequest request, StreamObserver<LockResponse> observer) {
      answer(
          observer,
          LockResponse.newBuilder().setAcquired(true).setHeldNow(true).setFencingToken(1).build());
    }

    @Override
    public void unlock(UnlockRequest request, StreamObserver<UnlockResponse> observer) {
      answer(observer, UnlockResponse.newBuilder().setReleased(true).build());
    }
  }

  private static final class Admin extends AdminServiceGrpc.AdminServiceImplBase {

    @Override
    public void status(StatusRequest request, StreamObserver<StatusResponse> observer) {
      answer(observer, StatusResponse.newBuilder().setServing(true).build());
    }
  }
}
