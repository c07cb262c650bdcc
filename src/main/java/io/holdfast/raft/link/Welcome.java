package io.holdfast.raft.link;

import io.holdfast.raft.core.MemberId;

/** The answer to a {@link Hello} that is admitted: who answers, in which incarnation. */
record Welcome(MemberId member, long incarnation) {}
