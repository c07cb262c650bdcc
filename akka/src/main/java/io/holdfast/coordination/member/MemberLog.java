package io.holdfast.coordination.member;

import java.util.concurrent.CompletionStage;

/**
 * The log as a member of the cluster has it: of coordination alone, or with all that nodes have.
 */
public interface MemberLog extends Barrier {

  /**
   * Proposes an entry of coordination. The stage never fails; it completes when the entry was
   * applied here, was refused, or may be lost: only what is applied says which.
   *
   * @param payload not written to afterwards
   */
  CompletionStage<?> propose(byte[] payload);
}
