package io.holdfast.bench.floods;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.holdfast.bench.cluster.Cluster;
import io.holdfast.bench.cluster.NodePlace;
import io.holdfast.client.ClientBuilder;
import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The nodes that are attacked, with their resources before. */
final class Ground implements AutoCloseable {

  private static final List<String> JVM = List.of("-Xmx512m");
  private static final Duration SERVES_WITHIN = Duration.ofSeconds(10);
  private static final long WARM_UP_MS = 3_000;

  private final Cluster cluster;
  private final ChannelCredentials credentials;
  private final Thread hook;
  private List<Footprint> before = List.of();
  private boolean sameAddress;
  private int strangers;

  private Ground(Cluster cluster, ChannelCredentials credentials, Thread hook) {
    this.cluster = cluster;
    this.credentials = credentials;
    this.hook = hook;
  }

  /** Starts nodes, and has them warm. */
  static Ground start(Path root, int nodes, boolean secured) throws IOException {
    Path folder = Files.createTempDirectory(root, "nodes");
    List<String> jvm = new ArrayList<>(JVM);
    ChannelCredentials credentials = InsecureChannelCredentials.create();
    if (secured) {
      NodeKey key = NodeKey.make(folder);
      jvm.addAll(key.options());
      credentials = key.trusted();
    }
    Thread hook = new Thread(Ground::endChildren, "floods-end");
    Runtime.getRuntime().addShutdownHook(hook); // also for nodes that are not up yet
    Ground ground = new Ground(Cluster.onLoopback(folder, nodes, jvm), credentials, hook);
    try (Bystander first = Bystander.begin(ground::connect)) {
      Pause.of(WARM_UP_MS);
      first.awaitAnswer(WARM_UP_MS);
      ground.footprints(); // the first question starts threads of its own
      ground.before = ground.footprints();
    } catch (RuntimeException e) {
      ground.close();
      throw e;
    }
    return ground;
  }

  /** From now on all attackers come from the address of the bystander. */
  void bringTogether() {
    sameAddress = true;
  }

  List<Integer> nodes() {
    return cluster.all();
  }

  NodePlace place(int node) {
    return cluster.place(node);
  }

  long pid(int node) {
    return cluster.node(node).pid();
  }

  /** A client whose session has the ttl of the bystander. */
  HoldfastClient connect() {
    ClientBuilder builder = HoldfastClient.builder().transport(credentials).ttl(Bystander.TTL);
    nodes().forEach(node -> builder.endpoint(endpoint(node)));
    return builder.connect();
  }

  private String endpoint(int node) {
    return place(node).host() + ":" + place(node).grpc();
  }

  /** The end of a node, as far as processes show one; empty if all live. */
  String ended() {
    for (int node : nodes()) {
      OptionalInt code = cluster.node(node).awaitEnd(0);
      if (code.isPresent()) {
        return "ended " + code.getAsInt();
      }
    }
    return "";
  }

  /** Finds out if each node gives a client that comes now a lock. */
  boolean serves() {
    for (int node : nodes()) {
      try (HoldfastClient client =
              HoldfastClient.builder()
                  .transport(credentials)
                  .ttl(Bystander.TTL)
                  .endpoint(endpoint(node))
                  .connect();
          Grant grant = client.lock("fresh/" + node).acquire(SERVES_WITHIN)) {
        grant.ensureHeld();
      } catch (HoldfastException e) {
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  /** An unused client address, or the common one with {@code --same-address}. */
  InetAddress stranger() throws IOException {
    if (sameAddress) {
      return InetAddress.getByName(place(0).host());
    }
    strangers++;
    byte[] address = {
      127, (byte) (1 + (strangers >> 16)), (byte) (strangers >> 8), (byte) strangers
    };
    return InetAddress.getByAddress(address);
  }

  /** Copies the logs of the nodes into a folder, under a name. */
  void keepLogs(Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    for (int node : nodes()) {
      cluster.node(node).copyLog(folder.resolve(name + "-node-" + node + ".log"));
    }
  }

  List<Footprint> before() {
    return before;
  }

  List<Footprint> footprints() {
    return nodes().stream().map(node -> Footprint.of(pid(node))).toList();
  }

  /** Says if the nodes have little more than before, as far as that is seen without a pause. */
  boolean mayBeAsBefore() {
    return nodes().stream().allMatch(node -> before.get(node).mayBeLeftBy(pid(node)));
  }

  boolean isAsBefore(List<Footprint> now) {
    return nodes().stream().allMatch(node -> before.get(node).isLeftBy(now.get(node)));
  }

  long logBytes() {
    return nodes().stream().mapToLong(node -> cluster.node(node).logBytes()).sum();
  }

  private static void endChildren() {
    ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    cluster.close();
  }
}
