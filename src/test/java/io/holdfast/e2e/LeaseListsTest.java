package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseTimeToLiveRequest;
import io.holdfast.v1.LeaseTimeToLiveResponse;
import io.holdfast.v1.ListLeasesRequest;
import io.holdfast.v1.ListLeasesResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Lists of leases and of what hangs on one: they come in pages, by way of any node. */
class LeaseListsTest {

  private static final long LONG_TTL_MS = 600_000;

  private final ClusterUnderTest cluster = ClusterUnderTest.shared();

  @Test
  void the_keys_of_a_lease_come_in_pages_in_their_order() {
    long lease =
        cluster
            .node(0)
            .leaseGrant(LeaseGrantRequest.newBuilder().setTtlMs(LONG_TTL_MS).build())
            .getLeaseId();
    String key = "leases-in-pages";
    List<String> keys =
        IntStream.range(0, 7).mapToObj(i -> key + "/" + i).collect(Collectors.toList());
    keys.forEach(each -> cluster.node(0).lock(Asked.onLease(each, "h", lease).build()));
    List<String> told = new ArrayList<>();
    ByteString next = ByteString.EMPTY;
    int node = 0;
    do {
      LeaseTimeToLiveResponse page =
          cluster
              .node(node++ % ClusterUnderTest.SIZE)
              .leaseTimeToLive(
                  LeaseTimeToLiveRequest.newBuilder()
                      .setLeaseId(lease)
                      .setKeyLimit(3)
                      .setPageToken(next)
                      .build());
      assertEquals(keys.size(), page.getLease().getKeyCount());
      told.addAll(page.getLease().getKeysList());
      next = page.getNextPageToken();
    } while (!next.isEmpty());
    assertEquals(keys, told);
    LeaseTimeToLiveRequest withoutKeys =
        LeaseTimeToLiveRequest.newBuilder().setLeaseId(lease).build();
    assertEquals(0, cluster.node(0).leaseTimeToLive(withoutKeys).getLease().getKeysCount());
  }

  @Test
  void leases_are_listed_in_pages_in_the_order_of_their_ids() {
    List<Long> ids = LongStream.rangeClosed(1, 7).map(i -> 100 * i).boxed().toList();
    for (long id : ids) {
      cluster
          .node(0)
          .leaseGrant(
              LeaseGrantRequest.newBuilder()
                  .setTtlMs(LONG_TTL_MS)
                  .setLeaseId(id)
                  .setClientId("lister")
                  .build());
    }
    List<Long> told = new ArrayList<>();
    ByteString next = ByteString.EMPTY;
    int node = 0;
    do {
      ListLeasesResponse page =
          cluster
              .node(node++ % ClusterUnderTest.SIZE)
              .listLeases(
                  ListLeasesRequest.newBuilder()
                      .setPageSize(3)
                      .setPageToken(next)
                      .setClientId("lister")
                      .build());
      page.getLeasesList().forEach(lease -> told.add(lease.getLeaseId()));
      next = page.getNextPageToken();
    } while (!next.isEmpty());
    assertEquals(ids, told);
  }
}
