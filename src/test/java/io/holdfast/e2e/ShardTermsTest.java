package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.stub.AbstractBlockingStub;
import io.holdfast.fixtures.FreePorts;
import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.MemberAddRequest;
import io.holdfast.v1.MemberListRequest;
import io.holdfast.v1.MemberRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are told of another number of shards than their cluster was founded with. */
class ShardTermsTest {

  @TempDir private Path folder;

  @Test
  void a_restart_with_other_shards_is_refused_and_grants_nothing() throws IOException {
    Path place = Files.createDirectories(folder.resolve("node"));
    long token;
    try (NodeUnderTest node = NodeUnderTest.serving(place)) {
      token = hold(node, "k1");
    }
    assertRefused(48, 47, NodeUnderTest.started(place, shards(47), List.of()));
    try (NodeUnderTest node = NodeUnderTest.serving(place, shards(48))) {
      assertEquals(token, holds(node, "k1"));
    }
  }

  @Test
  void a_node_with_other_shards_is_refused_before_it_is_a_member() throws IOException {
    String raft = freePort();
    Path first = Files.createDirectories(folder.resolve("first"));
    Map<String, String> founding = with(shards(96), Map.of("HOLDFAST_RAFT_PORT", raft));
    try (NodeUnderTest node = NodeUnderTest.serving(first, founding)) {
      long token = hold(node, "k1");
      String joining = freePort();
      add(node, "127.0.0.1:" + joining);
      Set<Long> before = members(node);
      Path second = Files.createDirectories(folder.resolve("second"));
      Map<String, String> told =
          Map.of(
              "HOLDFAST_RAFT_PORT",
              joining,
              "HOLDFAST_RAFT_MEMBERS",
              "127.0.0.1:%s,127.0.0.1:%s".formatted(raft, joining));
      assertRefused(96, 48, NodeUnderTest.started(second, told, List.of()));
      assertEquals(before, members(node), "the seat is still free");
      try (NodeUnderTest joined = NodeUnderTest.serving(second, with(told, shards(96)))) {
        assertEquals(token, holds(joined, "k1"));
      }
      assertRefused(96, 95, NodeUnderTest.started(second, with(told, shards(95)), List.of()));
    }
  }

  private static void assertRefused(int founded, int told, NodeUnderTest node) {
    try (node) {
      assertEquals(78, node.awaitEnd(), () -> node.errors() + node.output());
      assertTrue(
          node.errors()
              .matches(
                  "holdfast: the cluster (at \\[127.0.0.1:\\d+] )?was founded with \\[%d] shards, not with \\[%d]; holdfast.locks.shards must stay as it was founded\n"
                      .formatted(founded, told)),
          node.errors());
      assertFalse(node.output().contains("Ready."), node.output());
    }
  }

  private Map<String, String> shards(int shards) throws IOException {
    Path file = folder.resolve(shards + ".conf");
    Files.writeString(file, "holdfast.locks.shards = " + shards);
    return Map.of("HOLDFAST_CONFIG", file.toString());
  }

  private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
    Map<String, String> all = new HashMap<>(some);
    all.putAll(more);
    return all;
  }

  private static long hold(NodeUnderTest node, String key) {
    return ask(
        LockServiceGrpc::newBlockingStub,
        node.connect(),
        stub -> stub.lock(Asked.lock(key, "holder").build()).getFencingToken());
  }

  /** The token under which somebody holds the key. */
  private static long holds(NodeUnderTest node, String key) {
    return ask(
        LockServiceGrpc::newBlockingStub,
        node.connect(),
        stub ->
            stub.getLock(GetLockRequest.newBuilder().setKey(key).build())
                .getLock()
                .getHolders(0)
                .getFencingToken());
  }

  private static void add(NodeUnderTest node, String address) {
    var unused =
        ask(
            AdminServiceGrpc::newBlockingStub,
            node.connectAdmin(),
            stub -> stub.memberAdd(MemberAddRequest.newBuilder().setLogAddress(address).build()));
  }

  private static Set<Long> members(NodeUnderTest node) {
    return ask(
        AdminServiceGrpc::newBlockingStub,
        node.connectAdmin(),
        stub ->
            stub.memberList(MemberListRequest.getDefaultInstance()).getMembersList().stream()
                .map(MemberRecord::getMemberId)
                .collect(Collectors.toSet()));
  }

  private static <S extends AbstractBlockingStub<S>, T> T ask(
      Function<Channel, S> stub, ManagedChannel channel, Function<S, T> question) {
    try {
      return question.apply(stub.apply(channel).withDeadlineAfter(30, TimeUnit.SECONDS));
    } finally {
      channel.shutdownNow();
    }
  }

  private static String freePort() {
    return Integer.toString(FreePorts.take());
  }
}
