package io.holdfast.grpc.admin;

import akka.NotUsed;
import akka.stream.javadsl.Source;
import com.google.protobuf.MessageLite;
import io.grpc.StatusRuntimeException;
import io.holdfast.config.member.Addresses;
import io.holdfast.coordination.Administration;
import io.holdfast.coordination.Administration.Change;
import io.holdfast.coordination.Administration.ClusterView;
import io.holdfast.coordination.AnswerFacts;
import io.holdfast.coordination.NodeIdentity;
import io.holdfast.coordination.StateCopies;
import io.holdfast.coordination.member.Barrier;
import io.holdfast.grpc.call.CallRunner;
import io.holdfast.grpc.call.ServingState;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.Revision;
import io.holdfast.v1.AdminService;
import io.holdfast.v1.Header;
import io.holdfast.v1.MemberAddRequest;
import io.holdfast.v1.MemberAddResponse;
import io.holdfast.v1.MemberListRequest;
import io.holdfast.v1.MemberListResponse;
import io.holdfast.v1.MemberPromoteRequest;
import io.holdfast.v1.MemberPromoteResponse;
import io.holdfast.v1.MemberRemoveRequest;
import io.holdfast.v1.MemberRemoveResponse;
import io.holdfast.v1.Reason;
import io.holdfast.v1.SnapshotRequest;
import io.holdfast.v1.SnapshotResponse;
import io.holdfast.v1.StatusRequest;
import io.holdfast.v1.StatusResponse;
import io.holdfast.v1.TransferLeadershipRequest;
import io.holdfast.v1.TransferLeadershipResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Serves {@code holdfast.v1.AdminService}. It decides nothing itself. */
public final class AdminEndpoint implements AdminService {

  private final Administration administration;
  private final Barrier barrier;
  private final AnswerFacts facts;
  private final IntSupplier leases;
  private final Supplier<Optional<String>> trouble;
  private final String version;
  private final ServingState serving;
  private final CallRunner calls;
  private final SnapshotStream snapshots;

  /**
   * Creates the endpoint of a node.
   *
   * @param barrier waits until this node has applied every entry that any node had applied
   * @param leases the number of shared leases that are alive
   * @param trouble the problem with the size of the state, if there is one
   * @param version the version of the program
   */
  public AdminEndpoint(
      Administration administration,
      StateCopies copies,
      Barrier barrier,
      AnswerFacts facts,
      IntSupplier leases,
      Supplier<Optional<String>> trouble,
      String version,
      ServingState serving) {
    this.administration = administration;
    this.barrier = barrier;
    this.facts = facts;
    this.leases = leases;
    this.trouble = trouble;
    this.version = version;
    this.serving = serving;
    calls = new CallRunner(serving, this::header);
    snapshots = new SnapshotStream(copies, this::header, facts::wallMs, version);
  }

  /** Returns the header of an answer: the cluster, the member and the revision. */
  Header header() {
    return header(facts.revision());
  }

  private Header header(Revision revision) {
    NodeIdentity identity = facts.identity();
    return Header.newBuilder()
        .setClusterId(identity.clusterId())
        .setMemberId(identity.memberId())
        .setRevision(revision.value())
        .setRaftTerm(facts.term())
        .build();
  }

  @Override
  public CompletionStage<StatusResponse> status(StatusRequest request) {
    return calls.read(
        request, /* serializable= */ true, () -> administration.view().thenApply(this::status));
  }

  private StatusResponse status(ClusterView cluster) {
    boolean isServing = serving.isOn();
    return StatusResponse.newBuilder()
        .setHeader(header())
        .setVersion(version)
        .setServing(isServing)
        .setLeaderId(cluster.leader())
        .setCommitIndex(cluster.commit())
        .setAppliedIndex(cluster.applied())
        .setLastIndex(cluster.last())
        .setShardCount(cluster.shards())
        .setOwnedShardCount(cluster.ownedShards())
        .addAllMembers(AdminWriter.members(cluster))
        .addAllOthers(cluster.others().stream().map(AdminWriter::session).toList())
        .addAllProblems(AdminWriter.problems(cluster, isServing, serving.ownerlessShards()))
        .addAllProblems(trouble.get().stream().toList())
        .setLeaseCount(leases.getAsInt())
        .build();
  }

  @Override
  public CompletionStage<MemberListResponse> memberList(MemberListRequest request) {
    return calls.read(
        request,
        request.getSerializable(),
        () ->
            ready(request.getSerializable())
                .thenCompose(ready -> administration.view())
                .thenApply(
                    cluster ->
                        MemberListResponse.newBuilder()
                            .setHeader(header())
                            .addAllMembers(AdminWriter.members(cluster))
                            .build()));
  }

  @Override
  public CompletionStage<MemberAddResponse> memberAdd(MemberAddRequest request) {
    return change(
        request,
        () -> administration.add(address(request.getLogAddress())),
        (change, cluster) ->
            MemberAddResponse.newBuilder()
                .setHeader(header())
                .setMemberId(change.member())
                .setChanged(change.changed())
                .addAllMembers(AdminWriter.members(cluster))
                .build());
  }

  @Override
  public CompletionStage<MemberPromoteResponse> memberPromote(MemberPromoteRequest request) {
    return change(
        request,
        () -> administration.promote(member(request.getMemberId())),
        (change, cluster) ->
            MemberPromoteResponse.newBuilder()
                .setHeader(header())
                .setChanged(change.changed())
                .addAllMembers(AdminWriter.members(cluster))
                .build());
  }

  @Override
  public CompletionStage<MemberRemoveResponse> memberRemove(MemberRemoveRequest request) {
    return change(
        request,
        () -> administration.remove(member(request.getMemberId())),
        (change, cluster) ->
            MemberRemoveResponse.newBuilder()
                .setHeader(header())
                .addAllMembers(AdminWriter.members(cluster))
                .build());
  }

  @Override
  public CompletionStage<TransferLeadershipResponse> transferLeadership(
      TransferLeadershipRequest request) {
    return change(
        request,
        () ->
            administration.transfer(request.getMemberId() == 0 ? 0 : member(request.getMemberId())),
        (change, cluster) ->
            TransferLeadershipResponse.newBuilder()
                .setHeader(header())
                .setMemberId(change.member())
                .setChanged(change.changed())
                .build());
  }

  @Override
  public Source<SnapshotResponse, NotUsed> snapshot(SnapshotRequest request) {
    try {
      RequestReader.requireSize(request.getSerializedSize());
      if (!request.getSerializable()) {
        calls.requireServing();
      }
    } catch (StatusRuntimeException e) {
      return Source.failed(StatusMapping.by(header(), e));
    }
    return snapshots.after(() -> ready(request.getSerializable()));
  }

  private <T> CompletionStage<T> change(
      MessageLite request,
      Supplier<CompletionStage<Change>> begin,
      BiFunction<Change, ClusterView, T> answer) {
    return calls.answer(
        request,
        () ->
            begin
                .get()
                .handle(
                    (change, failure) ->
                        administration
                            .view()
                            .thenApply(
                                cluster -> {
                                  if (failure != null) {
                                    throw AdminRefusals.error(failure, cluster);
                                  }
                                  return answer.apply(change, cluster);
                                }))
                .thenCompose(answered -> answered));
  }

  /** Completes when this node has caught up; fails if it cannot reach a majority. */
  private CompletionStage<Boolean> ready(boolean serializable) {
    CompletionStage<Boolean> safe =
        serializable ? CompletableFuture.completedFuture(true) : barrier.caughtUp();
    return safe.thenApply(
        isSafe -> {
          if (!isSafe) {
            throw StatusMapping.error(
                Reason.REASON_NO_MAJORITY,
                "this node cannot reach a majority, so that its state may be stale");
          }
          return true;
        });
  }

  private static long member(long id) {
    if (id == 0) {
      throw RequestReader.required("member_id");
    } else if (id < 0) {
      throw StatusMapping.error(
          Reason.REASON_MEMBER_NOT_FOUND,
          "member_id [" + Long.toHexString(id) + "] is of no member");
    }
    return id;
  }

  private static String address(String address) {
    if (address.isEmpty()) {
      throw RequestReader.required("log_address");
    } else if (Addresses.parse(address).isEmpty()) {
      throw StatusMapping.error(
          io.holdfast.v1.Refusal.newBuilder()
              .setReason(Reason.REASON_OUT_OF_BOUND)
              .setField("log_address")
              .setMessage("log_address [" + address + "] is not host:port")
              .setMaximum(Addresses.MAX_LENGTH));
    }
    return address;
  }
}
