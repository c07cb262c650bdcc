package io.holdfast.coordination;

import io.holdfast.coordination.member.CoordinationCodec;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.SessionId;
import java.util.function.Predicate;

/**
 * Checks the entries that a service wants to write to the log by way of a node: they must concern
 * the session of a service. Nobody checks of which: services trust each other as far as Akka's
 * links do.
 */
public final class ServiceEntries {

  /** The longest entry of a service. */
  public static final int MAX_BYTES = 16 << 10;

  private static CoordinationCommand.Cases<Boolean> allowed(Predicate<SessionId> isOfNode) {
    return new CoordinationCommand.Cases<>() {
      @Override
      public Boolean found(CoordinationCommand.Found found) {
        return false;
      }

      @Override
      public Boolean configure(CoordinationCommand.Configure configure) {
        return false;
      }

      @Override
      public Boolean forgetMember(CoordinationCommand.ForgetMember forget) {
        return false;
      }

      @Override
      public Boolean openSession(CoordinationCommand.OpenSession open) {
        return open.isService();
      }

      @Override
      public Boolean renewSession(CoordinationCommand.RenewSession renew) {
        return !isOfNode.test(renew.session());
      }

      @Override
      public Boolean closeSession(CoordinationCommand.CloseSession close) {
        return !isOfNode.test(close.session());
      }

      @Override
      public Boolean expireSession(CoordinationCommand.ExpireSession expire) {
        return false;
      }

      @Override
      public Boolean reportGone(CoordinationCommand.ReportGone report) {
        return false;
      }

      @Override
      public Boolean expireEarly(CoordinationCommand.ExpireEarly expire) {
        return false;
      }

      @Override
      public Boolean acquireShard(CoordinationCommand.AcquireShard acquire) {
        return false;
      }

      @Override
      public Boolean releaseShard(CoordinationCommand.ReleaseShard release) {
        return false;
      }

      @Override
      public Boolean takeTokenBlock(CoordinationCommand.TakeTokenBlock take) {
        return false;
      }

      @Override
      public Boolean formCluster(CoordinationCommand.FormCluster form) {
        return false;
      }

      @Override
      public Boolean markJoined(CoordinationCommand.MarkJoined joined) {
        return !isOfNode.test(joined.session());
      }

      @Override
      public Boolean markCertain(CoordinationCommand.MarkCertain certain) {
        return false;
      }

      @Override
      public Boolean reportReachability(CoordinationCommand.ReportReachability report) {
        return !isOfNode.test(report.session());
      }

      @Override
      public Boolean expel(CoordinationCommand.Expel expel) {
        return false;
      }

      @Override
      public Boolean announceEndpoint(CoordinationCommand.AnnounceEndpoint announce) {
        return false;
      }

      @Override
      public Boolean raiseGeneration(CoordinationCommand.RaiseGeneration raise) {
        return false;
      }
    };
  }

  private ServiceEntries() {}

  /**
   * True if this is an entry of coordination that a service may write.
   *
   * @param isOfNode true if the session is a node's
   */
  public static boolean allow(byte[] entry, Predicate<SessionId> isOfNode) {
    if (entry.length == 0 || entry.length > MAX_BYTES || entry[0] != CoordinationMachine.CODE) {
      return false;
    }
    try {
      return CoordinationCodec.decode(entry).command().match(allowed(isOfNode));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
