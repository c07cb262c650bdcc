package io.holdfast.coordination.state;

import io.holdfast.coordination.state.CoordinationCommand.AcquireShard;
import io.holdfast.coordination.state.CoordinationCommand.AnnounceEndpoint;
import io.holdfast.coordination.state.CoordinationCommand.CloseSession;
import io.holdfast.coordination.state.CoordinationCommand.Configure;
import io.holdfast.coordination.state.CoordinationCommand.Expel;
import io.holdfast.coordination.state.CoordinationCommand.ExpireEarly;
import io.holdfast.coordination.state.CoordinationCommand.ExpireSession;
import io.holdfast.coordination.state.CoordinationCommand.ForgetMember;
import io.holdfast.coordination.state.CoordinationCommand.FormCluster;
import io.holdfast.coordination.state.CoordinationCommand.Found;
import io.holdfast.coordination.state.CoordinationCommand.MarkCertain;
import io.holdfast.coordination.state.CoordinationCommand.MarkJoined;
import io.holdfast.coordination.state.CoordinationCommand.OpenSession;
import io.holdfast.coordination.state.CoordinationCommand.RaiseGeneration;
import io.holdfast.coordination.state.CoordinationCommand.ReleaseShard;
import io.holdfast.coordination.state.CoordinationCommand.RenewSession;
import io.holdfast.coordination.state.CoordinationCommand.ReportGone;
import io.holdfast.coordination.state.CoordinationCommand.ReportReachability;
import io.holdfast.coordination.state.CoordinationCommand.TakeTokenBlock;
import io.holdfast.coordination.state.EndedSession.Cause;

/** Passes each command to the rules that decide it. */
record Rules(ClusterRules cluster, SessionRules sessions, ShardRules shards)
    implements CoordinationCommand.Cases<CoordinationVerdict> {

  @Override
  public CoordinationVerdict found(Found found) {
    return cluster.found(found);
  }

  @Override
  public CoordinationVerdict configure(Configure configure) {
    return cluster.configure(configure.members());
  }

  @Override
  public CoordinationVerdict forgetMember(ForgetMember forget) {
    return cluster.forget(forget.member());
  }

  @Override
  public CoordinationVerdict openSession(OpenSession open) {
    return sessions.open(open);
  }

  @Override
  public CoordinationVerdict renewSession(RenewSession renew) {
    return sessions.renew(renew);
  }

  @Override
  public CoordinationVerdict closeSession(CloseSession close) {
    return sessions.close(close.session());
  }

  @Override
  public CoordinationVerdict expireSession(ExpireSession expire) {
    return sessions.expire(expire.session(), expire.ifRenewal(), Cause.EXPIRED);
  }

  @Override
  public CoordinationVerdict reportGone(ReportGone report) {
    return sessions.reportGone(report);
  }

  @Override
  public CoordinationVerdict expireEarly(ExpireEarly expire) {
    return sessions.expire(expire.session(), expire.ifRenewal(), Cause.EXPIRED_EARLY);
  }

  @Override
  public CoordinationVerdict acquireShard(AcquireShard acquire) {
    return shards.acquire(acquire);
  }

  @Override
  public CoordinationVerdict releaseShard(ReleaseShard release) {
    return shards.release(release);
  }

  @Override
  public CoordinationVerdict takeTokenBlock(TakeTokenBlock take) {
    return shards.takeBlock(take);
  }

  @Override
  public CoordinationVerdict formCluster(FormCluster form) {
    return cluster.form(form);
  }

  @Override
  public CoordinationVerdict markJoined(MarkJoined joined) {
    return cluster.markJoined(joined);
  }

  @Override
  public CoordinationVerdict markCertain(MarkCertain certain) {
    return shards.certain(certain);
  }

  @Override
  public CoordinationVerdict reportReachability(ReportReachability report) {
    return sessions.report(report);
  }

  @Override
  public CoordinationVerdict expel(Expel expel) {
    return sessions.expel(expel.sessions());
  }

  @Override
  public CoordinationVerdict announceEndpoint(AnnounceEndpoint announce) {
    return sessions.announce(announce);
  }

  @Override
  public CoordinationVerdict raiseGeneration(RaiseGeneration raise) {
    return cluster.raiseGeneration(raise.generation());
  }
}
