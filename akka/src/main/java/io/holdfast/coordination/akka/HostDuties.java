package io.holdfast.coordination.akka;

/** The duties of a member that runs shards, besides its downing. Used by one actor. */
public interface HostDuties {

  /** The duties of a member that runs no shards. */
  HostDuties NONE =
      new HostDuties() {
        @Override
        public void sessionEnded(long nowMs) {}

        @Override
        public void look(long nowMs) {}
      };

  /** A session has ended. */
  void sessionEnded(long nowMs);

  /** Does what is due now; called while the member may act. */
  void look(long nowMs);
}
