package io.holdfast.client;

import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LeaseRecord;
import io.holdfast.v1.ListLeasesRequest;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.ValidateRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads of locks and leases, page by page where there are many. */
final class LockReads {

  private static final int PAGE = 1_000;

  private final UnaryCalls calls;

  LockReads(UnaryCalls calls) {
    this.calls = calls;
  }

  CompletableFuture<LockStatus> get(String key) {
    GetLockRequest request = GetLockRequest.newBuilder().setKey(key).build();
    return calls
        .call(LockServiceGrpc.getGetLockMethod(), request, /* isRead= */ true)
        .thenApply(answer -> LockStatus.of(key, answer.getLock(), answer.getWaiterCount()));
  }

  CompletableFuture<TokenStatus> validate(String key, long fencingToken) {
    ValidateRequest request =
        ValidateRequest.newBuilder().setKey(key).setFencingToken(fencingToken).build();
    return calls
        .call(LockServiceGrpc.getValidateMethod(), request, /* isRead= */ true)
        .thenApply(answer -> new TokenStatus(answer.getHeldNow(), answer.getNewestFencingToken()));
  }

  CompletableFuture<List<LockStatus>> list(String prefix, int limit) {
    return listFrom(
        ListLocksRequest.newBuilder().setPrefix(prefix).setPageSize(Math.min(limit, PAGE)).build(),
        limit,
        new ArrayList<>());
  }

  private CompletableFuture<List<LockStatus>> listFrom(
      ListLocksRequest request, int limit, List<LockStatus> found) {
    return calls
        .call(LockServiceGrpc.getListLocksMethod(), request, /* isRead= */ true)
        .thenCompose(
            page -> {
              page.getEntriesList()
                  .forEach(
                      entry ->
                          found.add(
                              LockStatus.of(
                                  entry.getLock().getKey(),
                                  entry.getLock(),
                                  entry.getWaiterCount())));
              return found.size() >= limit || page.getNextPageToken().isEmpty()
                  ? CompletableFuture.completedFuture(first(limit, found))
                  : listFrom(
                      request.toBuilder().setPageToken(page.getNextPageToken()).build(),
                      limit,
                      found);
            });
  }

  CompletableFuture<List<LeaseStatus>> leases(int limit) {
    return leasesFrom(
        ListLeasesRequest.newBuilder().setPageSize(Math.min(limit, PAGE)).build(),
        limit,
        new ArrayList<>());
  }

  private CompletableFuture<List<LeaseStatus>> leasesFrom(
      ListLeasesRequest request, int limit, List<LeaseStatus> found) {
    return calls
        .call(LockServiceGrpc.getListLeasesMethod(), request, /* isRead= */ true)
        .thenCompose(
            page -> {
              page.getLeasesList().forEach(lease -> found.add(status(lease)));
              return found.size() >= limit || page.getNextPageToken().isEmpty()
                  ? CompletableFuture.completedFuture(first(limit, found))
                  : leasesFrom(
                      request.toBuilder().setPageToken(page.getNextPageToken()).build(),
                      limit,
                      found);
            });
  }

  private static LeaseStatus status(LeaseRecord lease) {
    return new LeaseStatus(
        lease.getLeaseId(),
        lease.getClientId(),
        Duration.ofMillis(lease.getGrantedTtlMs()),
        lease.getKeyCount(),
        lease.getSession());
  }

  private static <T> List<T> first(int limit, List<T> found) {
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }
}
