package io.holdfast.server;

import io.holdfast.config.HoldfastSettings;
import io.holdfast.config.InitialMember;
import io.holdfast.config.TlsSettings;
import io.holdfast.config.member.ListenAddress;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.LogControl;
import io.holdfast.raft.core.EntriesLost;
import io.holdfast.raft.core.Settings;
import io.holdfast.raft.link.LinkIdentity;
import io.holdfast.raft.link.LinkSecurity;
import io.holdfast.raft.link.LinkSettings;
import io.holdfast.raft.log.FileDisk;
import io.holdfast.raft.log.LogFailure;
import io.holdfast.raft.log.LogSettings;
import io.holdfast.raft.node.FoundingPlan;
import io.holdfast.raft.node.NodeSettings;
import io.holdfast.raft.node.OtherTerms;
import io.holdfast.raft.node.RaftNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's member of its cluster's log: its files, its links and its thread, by the settings.
 */
final class RaftMember implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RaftMember.class);

  /** The longest entry: the journal's longest write, and what goes with it. */
  private static final int MAX_ENTRY_BYTES = 4 << 20;

  /** The part of the heap that the newest entries may take. */
  private static final int SHARE_OF_CACHE = 32;

  /** The part of it that may wait for a majority, or for one other member. */
  private static final int SHARE_OF_QUEUE = 16;

  /** Frames of other members that have not arrived whole take this part of memory for buffers. */
  private static final int SHARE_OF_INPUT = 4;

  /** There is one log so far. */
  private static final int GROUP = 0;

  private final RaftNode node;
  private final ListenAddress address;
  private final List<String> others;
  private final CompletionStage<String> otherTerms;

  private RaftMember(
      RaftNode node,
      ListenAddress address,
      List<String> others,
      CompletionStage<String> otherTerms) {
    this.node = node;
    this.address = address;
    this.others = others;
    this.otherTerms = otherTerms;
  }

  /**
   * Opens the log and starts the member. It founds or finds its cluster by itself.
   *
   * @param random the source of all randomness
   * @param failed is told, on any thread, with what the process must end if the member fails while
   *     it runs; what happened stands in the process's log
   * @throws StartFailure if it cannot start; then nothing of it is left running
   */
  static RaftMember start(
      HoldfastSettings settings,
      DataDirectory data,
      ConsensusLog.StateMachine machine,
      LongSupplier random,
      Consumer<NodeExitCode> failed)
      throws StartFailure {
    ClusterTerms terms = ClusterTerms.of(settings);
    LinkSecurity security = security(settings.raft().tls());
    ListenAddress address = withPort(settings.raft().address());
    requireNamed(settings.raft().members(), address, data);
    FoundingPlan plan = terms.plan(settings.raft().members(), address);
    LinkIdentity self = new LinkIdentity(data.member(), data.start(), GROUP, address.toString());
    RaftNode.Linking tcp =
        RaftNode.overTcp(socketAddress(address), self, links(), security, random);
    Path directory = data.logDirectory();
    RaftNode node;
    try {
      node =
          RaftNode.start(
              nodeSettings(terms),
              self,
              plan,
              new FileDisk(directory),
              !data.isLogBegun(),
              machine,
              events -> {
                noteBegun(data); // the log is open, and nobody can have heard of it
                return tcp.open(events);
              },
              random);
    } catch (LogFailure e) {
      throw new StartFailure(
          NodeExitCode.DATA_DIRECTORY,
          "the log in [" + directory + "] cannot be used: " + e.getMessage());
    } catch (UncheckedIOException e) {
      throw new StartFailure(
          NodeExitCode.DATA_DIRECTORY,
          "the data directory [%s] cannot be written: %s"
              .formatted(settings.dataDirectory(), e.getCause()));
    } catch (IOException e) {
      throw AddressCheck.taken("raft", address, e);
    }
    CompletableFuture<String> otherTerms = new CompletableFuture<>();
    var unused =
        node.stopped()
            .whenComplete(
                (done, failure) -> {
                  if (failure instanceof OtherTerms difference) {
                    otherTerms.complete(difference.getMessage());
                  } else if (failure != null) {
                    NodeExitCode code = exitCode(failure);
                    if (code == NodeExitCode.DATA_DIRECTORY) {
                      noteLost(data);
                    }
                    failed.accept(code);
                  }
                });
    return new RaftMember(
        node,
        address,
        plan.members().stream()
            .map(FoundingPlan.PlannedMember::address)
            .filter(member -> !member.equals(address.toString()))
            .toList(),
        otherTerms);
  }

  /** The replicated log. */
  ConsensusLog log() {
    return node;
  }

  /** The requests of operators to this member. */
  LogControl control() {
    return node;
  }

  /** The address at which the other members reach this one. */
  ListenAddress address() {
    return address;
  }

  /** The addresses of the initial members, but for this one. */
  List<String> others() {
    return others;
  }

  /** Completes with the difference if the member ends since its cluster has other terms. */
  CompletionStage<String> otherTerms() {
    return otherTerms;
  }

  /** Completes when it has let go of its files and its port; fails if it ended by an error. */
  CompletionStage<Void> stopped() {
    return node.stopped();
  }

  /** Asks it to stop. */
  @Override
  public void close() {
    node.close();
  }

  private static NodeExitCode exitCode(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof LogFailure) {
        return NodeExitCode.DISK;
      }
      if (cause instanceof EntriesLost) {
        return NodeExitCode.DATA_DIRECTORY;
      }
    }
    return NodeExitCode.INTERNAL;
  }

  private static NodeSettings nodeSettings(ClusterTerms terms) {
    NodeSettings usual = NodeSettings.DEFAULT;
    Settings elections = terms.elections().withMaxProposalBytes(MAX_ENTRY_BYTES);
    return new NodeSettings(
        elections.withMaxUncommittedBytes(bounded(elections.maxUncommittedBytes(), SHARE_OF_QUEUE)),
        log(usual.log()),
        usual.maxQueuedRequests(),
        usual.snapshotAfterBytes(),
        usual.foundingEveryMs(),
        terms.toleratedSyncMs());
  }

  /** The newest entries are kept in memory, as far as a small heap has room for them. */
  private static LogSettings log(LogSettings usual) {
    return new LogSettings(
        usual.segmentBytes(),
        usual.batchBytes(),
        Math.min(usual.cachedBytes(), Runtime.getRuntime().maxMemory() / SHARE_OF_CACHE));
  }

  private static LinkSettings links() {
    LinkSettings usual = LinkSettings.USUAL;
    long maxMemory = Runtime.getRuntime().maxMemory(); // as much, again, is there for buffers
    long input = Math.max(8L * MAX_ENTRY_BYTES, maxMemory / SHARE_OF_INPUT);
    return usual
        .withMaxQueueBytes((int) bounded(usual.maxQueueBytes(), SHARE_OF_QUEUE))
        .withMaxInputBytes((int) Math.min(usual.maxInputBytes(), input));
  }

  /** As usual, or a share of a small heap, in which two of the largest entries have room. */
  private static long bounded(long usual, int share) {
    long room = Math.max(2L * MAX_ENTRY_BYTES, Runtime.getRuntime().maxMemory() / share);
    return Math.min(usual, room);
  }

  private static @Nullable LinkSecurity security(@Nullable TlsSettings tls) throws StartFailure {
    return tls == null
        ? null
        : new LinkSecurity(PemFiles.context("holdfast.raft.tls", tls), tls.verifyHostNames());
  }

  /** The same address with a port that is free now, if it named none: others must be told. */
  private static ListenAddress withPort(ListenAddress address) throws StartFailure {
    if (address.port() != 0) {
      return address;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(socketAddress(address));
      return new ListenAddress(address.host(), socket.getLocalPort());
    } catch (IOException e) {
      throw AddressCheck.taken("raft", address, e);
    }
  }

  private static InetSocketAddress socketAddress(ListenAddress address) throws StartFailure {
    InetSocketAddress found = new InetSocketAddress(address.host(), address.port());
    if (found.isUnresolved()) {
      throw AddressCheck.unknown("raft", address);
    }
    return found;
  }

  private static void noteLost(DataDirectory data) {
    log.error(
        "this node takes no further part under its id: start it with an empty data directory,"
            + " promote its new id and remove member [{}]",
        Long.toHexString(data.member().value()));
    try {
      data.noteLogLost();
    } catch (IOException e) {
      log.error("that could not be noted in the data directory", e);
    }
  }

  /** A member that has begun its log needs no list: it has founded its cluster, or joined it. */
  private static void requireNamed(
      List<InitialMember> members, ListenAddress own, DataDirectory data) throws StartFailure {
    boolean isNamed =
        members.isEmpty() || members.stream().anyMatch(member -> member.address().equals(own));
    if (!isNamed && !data.isLogBegun()) {
      throw new StartFailure(
          NodeExitCode.CONFIGURATION,
          "holdfast.raft.members does not name this node, which is [%s] by holdfast.raft.host and .port: %s"
              .formatted(own, members));
    }
  }

  private static void noteBegun(DataDirectory data) {
    try {
      data.noteLogBegun();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // not to be taken for a fault of the links
    }
  }
}
