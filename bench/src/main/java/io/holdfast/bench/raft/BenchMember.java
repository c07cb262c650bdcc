package io.holdfast.bench.raft;

import io.holdfast.raft.link.LinkIdentity;
import io.holdfast.raft.link.LinkSettings;
import io.holdfast.raft.log.Disk;
import io.holdfast.raft.log.FileDisk;
import io.holdfast.raft.node.FoundingPlan;
import io.holdfast.raft.node.NodeSettings;
import io.holdfast.raft.node.RaftNode;
import io.holdfast.server.DataDirectory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/** One member on a directory and an address of this machine, as a node of Holdfast has it. */
final class BenchMember {

  private BenchMember() {}

  /** Starts it; its process ends with it if it fails. */
  static RaftNode start(
      Path directory,
      String address,
      List<String> all,
      long snapshotAfterBytes,
      boolean forgetful,
      Ledger ledger)
      throws Exception {
    SecureRandom random = new SecureRandom();
    DataDirectory data = DataDirectory.open(directory, random::nextLong);
    LinkIdentity self = new LinkIdentity(data.member(), data.start(), /* group= */ 0, address);
    NodeSettings usual = NodeSettings.DEFAULT;
    NodeSettings settings =
        new NodeSettings(
            usual.core(),
            usual.log(),
            usual.maxQueuedRequests(),
            snapshotAfterBytes,
            usual.foundingEveryMs(),
            usual.toleratedSyncMs());
    List<FoundingPlan.PlannedMember> members =
        all.stream().map(FoundingPlan.PlannedMember::voter).toList();
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    Disk files = new FileDisk(data.logDirectory());
    RaftNode node =
        RaftNode.start(
            settings,
            self,
            new FoundingPlan(members, 48, 0),
            forgetful ? new ForgetfulDisk(files, random.nextLong()) : files,
            /* mayBeNew= */ !data.isLogBegun(),
            ledger,
            RaftNode.overTcp(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                self,
                LinkSettings.USUAL,
                null,
                random::nextLong),
            random::nextLong);
    data.noteLogBegun();
    node.stopped()
        .whenComplete(
            (done, failure) -> {
              data.close();
              Runtime.getRuntime().halt(failure == null ? 0 : 1);
            });
    return node;
  }
}
