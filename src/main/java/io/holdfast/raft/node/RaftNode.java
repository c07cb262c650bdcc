package io.holdfast.raft.node;

import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.LogControl;
import io.holdfast.raft.LogProgress;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.link.LinkEvents;
import io.holdfast.raft.link.LinkIdentity;
import io.holdfast.raft.link.LinkSecurity;
import io.holdfast.raft.link.LinkSettings;
import io.holdfast.raft.link.PeerLinks;
import io.holdfast.raft.link.TcpLinks;
import io.holdfast.raft.log.Disk;
import io.holdfast.raft.log.LogIdentity;
import io.holdfast.raft.log.WriteAheadLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running member of a cluster, and its {@link ConsensusLog}.
 *
 * <p>Failure: an error of the disk, of the state machine or of the core itself ends the member for
 * good, and its process is expected to end with it: what was asked of the disk may or may not have
 * happened, and only a restart finds out.
 */
public final class RaftNode implements ConsensusLog, LogControl {

  private static final Logger log = LoggerFactory.getLogger(RaftNode.class);

  private final Driver driver;
  private final MemberId self;
  private final long transferWithinMs;
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();

  private RaftNode(Driver driver, MemberId self, long transferWithinMs) {
    this.driver = driver;
    this.self = self;
    this.transferWithinMs = transferWithinMs;
  }

  /** Opens the links of a member, which report to what they are given. */
  public interface Linking {
    PeerLinks open(LinkEvents events) throws IOException;
  }

  /**
   * Links over TCP, by the member's own clock.
   *
   * @param security the keys for mutual TLS; null for plain TCP
   * @param random the source of the random part of waits
   */
  public static Linking overTcp(
      InetSocketAddress listen,
      LinkIdentity self,
      LinkSettings settings,
      @Nullable LinkSecurity security,
      LongSupplier random) {
    return events ->
        TcpLinks.open(
            listen, self, settings, security, events, RaftNode::nowMs, random.getAsLong());
  }

  private static long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  /**
   * Opens the log and starts the thread.
   *
   * @param self the id of this member, also on the links
   * @param disk the directory of the log, held by this process alone
   * @param mayBeNew true if a directory without a log is a new one; otherwise it has lost its log
   * @param linking opens the links, once the log is open and durable
   * @param random the source of election timeouts and of the marks in the log
   * @throws IOException if the links cannot listen
   * @throws io.holdfast.raft.log.LogFailure if the log cannot be opened
   */
  public static RaftNode start(
      NodeSettings settings,
      LinkIdentity self,
      FoundingPlan plan,
      Disk disk,
      boolean mayBeNew,
      StateMachine machine,
      Linking linking,
      LongSupplier random)
      throws IOException {
    WriteAheadLog wal =
        WriteAheadLog.open(
            disk,
            new LogIdentity(0, self.group(), self.member()),
            settings.log(),
            random,
            mayBeNew);
    Driver driver;
    try {
      RaftCore core =
          new RaftCore(
              self.member(),
              settings.core(),
              self.incarnation(),
              wal,
              wal.hardState(),
              random.getAsLong(),
              nowMs());
      driver =
          new Driver(settings, plan, self.address(), core, wal, machine, linking, RaftNode::nowMs);
    } catch (IOException | RuntimeException e) {
      wal.close();
      throw e;
    }
    RaftNode node = new RaftNode(driver, self.member(), 2L * settings.core().electionTimeoutMs());
    Thread thread = new Thread(node::run, "raft-" + self.group());
    thread.setDaemon(true);
    thread.start();
    return node;
  }

  private void run() {
    try {
      driver.run();
      stopped.complete(null);
    } catch (Throwable failure) {
      log.error("{} ends: {}", self, failure.getMessage(), failure);
      stopped.completeExceptionally(failure);
    }
  }

  @Override
  public CompletionStage<ProposalOutcome> propose(byte[] payload) {
    CompletableFuture<ProposalOutcome> call = new CompletableFuture<>();
    driver.propose(payload, call);
    return call;
  }

  @Override
  public CompletionStage<ReadOutcome> readBarrier() {
    CompletableFuture<ReadOutcome> call = new CompletableFuture<>();
    driver.read(call);
    return call;
  }

  @Override
  public Leadership leadership() {
    return driver.leadership();
  }

  @Override
  public List<Member> members() {
    return driver.members();
  }

  @Override
  public MemberId self() {
    return self;
  }

  /** The port of its links. */
  public int port() {
    return driver.port();
  }

  @Override
  public CompletionStage<Optional<RaftRefusal>> changeMembers(List<Member> target) {
    CompletableFuture<Optional<RaftRefusal>> call = new CompletableFuture<>();
    List<Member> wanted = List.copyOf(target);
    driver.changeMembers(members -> wanted, call);
    return call;
  }

  @Override
  public CompletionStage<Optional<RaftRefusal>> changeMembers(UnaryOperator<List<Member>> how) {
    CompletableFuture<Optional<RaftRefusal>> call = new CompletableFuture<>();
    driver.changeMembers(how, call);
    return call;
  }

  @Override
  public CompletionStage<LogProgress> progress() {
    CompletableFuture<LogProgress> call = new CompletableFuture<>();
    driver.progress(call);
    return call;
  }

  @Override
  public <T> CompletionStage<T> between(Function<Long, T> look) {
    CompletableFuture<T> call = new CompletableFuture<>();
    driver.between(look, call);
    return call;
  }

  @Override
  public CompletionStage<Optional<RaftRefusal>> transferLeadership(MemberId successor) {
    CompletableFuture<Optional<RaftRefusal>> call = new CompletableFuture<>();
    driver.transferLeadership(successor, transferWithinMs, call);
    return call;
  }

  /** Completes when the member has let go of its files and its port; fails if it ended by error. */
  public CompletionStage<Void> stopped() {
    return stopped;
  }

  @Override
  public void close() {
    driver.stop();
  }
}
