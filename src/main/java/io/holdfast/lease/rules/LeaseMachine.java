package io.holdfast.lease.rules;

import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rules of a shared lease: what a command does to a state. Pure. */
public final class LeaseMachine {

  /**
   * The decision on one command: the event to persist, or the outcome if there is none.
   *
   * @param event null if nothing changes
   * @param after the state after the event; null if there is none
   * @param outcome null if it follows from the event's revision, once that is known
   * @param recorded the outcome of the request to record with the event; null if none is kept
   */
  public record Decision(
      @Nullable LeaseEvent event,
      @Nullable LeaseState after,
      @Nullable LeaseOutcome outcome,
      @Nullable RecordedLeaseOutcome recorded,
      @Nullable RequestId request) {

    static Decision answer(LeaseOutcome outcome) {
      return new Decision(null, null, outcome, null, null);
    }

    static Decision refuse(LeaseOutcome.Reason reason) {
      return answer(new LeaseOutcome.Refused(reason));
    }
  }

  private LeaseMachine() {}

  /**
   * Decides one command.
   *
   * @param incarnation of the lease, if it is alive
   * @param earlier the recorded outcome of an earlier copy of a request, if it is still kept
   */
  public static Decision decide(
      LeaseState state,
      Revision incarnation,
      LeaseCommand command,
      Function<RequestId, Optional<RecordedLeaseOutcome>> earlier) {
    return command.match(
        new LeaseCommand.Cases<>() {
          @Override
          public Decision grant(LeaseCommand.Grant grant) {
            return earlier(state, incarnation, grant.request(), earlier)
                .orElseGet(
                    () ->
                        state.isAlive()
                            ? Decision.refuse(LeaseOutcome.Reason.EXISTS)
                            : event(
                                state,
                                new LeaseEvent.Granted(grant.terms(), grant.request()),
                                new RecordedLeaseOutcome.Granted(
                                    grant.request().content(), grant.terms().ttl()),
                                grant.request().id()));
          }

          @Override
          public Decision revoke(LeaseCommand.Revoke revoke) {
            return earlier(state, incarnation, revoke.request(), earlier)
                .orElseGet(
                    () ->
                        state.isAlive() && isMeant(revoke.incarnation(), incarnation)
                            ? event(
                                state,
                                new LeaseEvent.Ended(LeaseEvent.Cause.REVOKED),
                                new RecordedLeaseOutcome.Revoked(revoke.request().content()),
                                revoke.request().id())
                            : Decision.refuse(LeaseOutcome.Reason.NOT_FOUND));
          }

          @Override
          public Decision expire(LeaseCommand.Expire expire) {
            return state.isAlive() && expire.incarnation().equals(incarnation)
                ? unasked(state, new LeaseEvent.Ended(LeaseEvent.Cause.EXPIRED))
                : Decision.refuse(LeaseOutcome.Reason.NOT_FOUND);
          }
        });
  }

  private static boolean isMeant(Revision meant, Revision incarnation) {
    return meant.equals(Revision.NONE) || meant.equals(incarnation);
  }

  private static boolean isOf(LeaseState state, RequestHeader request) {
    RequestHeader granted = state.request();
    return granted != null && granted.id().equals(request.id());
  }

  private static Decision event(
      LeaseState state, LeaseEvent event, RecordedLeaseOutcome recorded, RequestId request) {
    return request.isRepeatable() || event instanceof LeaseEvent.Granted
        ? new Decision(event, state.apply(event), null, recorded, request)
        : unasked(state, event);
  }

  private static Decision unasked(LeaseState state, LeaseEvent event) {
    return new Decision(event, state.apply(event), null, null, null);
  }

  /*
   * A repeated grant is told the incarnation that it began, and no other: another request may have
   * begun the lease anew since. When its own has ended, there is nothing left to be told of. Nodes
   * send grants without an id again, too: a late copy must not begin a lease for nobody.
   */
  private static Optional<Decision> earlier(
      LeaseState state,
      Revision incarnation,
      RequestHeader request,
      Function<RequestId, Optional<RecordedLeaseOutcome>> earlier) {
    return earlier
        .apply(request.id())
        .map(
            known -> {
              if (known.content() != request.content() && known.content() != ContentHash.ANY) {
                return Decision.refuse(LeaseOutcome.Reason.REQUEST_REUSED);
              } else if (known instanceof RecordedLeaseOutcome.Granted granted) {
                return isOf(state, request)
                    ? Decision.answer(
                        new LeaseOutcome.Granted(incarnation, granted.ttl(), /* repeated= */ true))
                    : Decision.refuse(LeaseOutcome.Reason.NOT_FOUND);
              } else if (known instanceof RecordedLeaseOutcome.Revoked) {
                return Decision.answer(new LeaseOutcome.Ended(0, /* repeated= */ true));
              }
              throw new AssertionError(known);
            });
  }
}
