package io.holdfast.coordination;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The sessions whose process this node has seen to be gone, and its reports of them. A renewal that
 * was on its way when the process ended cancels a report; then it is sent again.
 */
final class GonePeers {

  private static final long NOTHING_SAID = -1;

  private static final class Gone {
    final long untilMs;
    long saidOf = NOTHING_SAID;

    Gone(long untilMs) {
      this.untilMs = untilMs;
    }
  }

  private final Map<SessionId, Gone> gone = new HashMap<>();

  /**
   * The process of the member is gone: that of the session that it has now, not of a later one.
   *
   * @param untilMs the time when the session will have ended by itself
   */
  void gone(NodeId member, CoordinationState state, long untilMs) {
    state.sessions().stream()
        .filter(session -> session.member().equals(member))
        .forEach(session -> gone.put(session.id(), new Gone(untilMs)));
  }

  /** The reports that are due now, in the name of this session. */
  List<CoordinationCommand.ReportGone> due(SessionId own, CoordinationState state, long nowMs) {
    List<CoordinationCommand.ReportGone> due = new ArrayList<>();
    Iterator<Map.Entry<SessionId, Gone>> each = gone.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<SessionId, Gone> entry = each.next();
      Gone word = entry.getValue();
      Session session = state.session(entry.getKey()).orElse(null);
      if (session == null || nowMs > word.untilMs) {
        each.remove();
      } else if (session.renewal() != word.saidOf) {
        word.saidOf = session.renewal();
        due.add(new CoordinationCommand.ReportGone(own, session.id(), session.renewal()));
      }
    }
    return due;
  }

  /** It was not heard: nobody led, perhaps because it is the leader who is gone. */
  void notHeard(CoordinationCommand.ReportGone report) {
    Gone word = gone.get(report.gone());
    if (word != null && word.saidOf == report.ifRenewal()) {
      word.saidOf = NOTHING_SAID;
    }
  }
}
