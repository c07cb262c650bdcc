package io.holdfast.journal.state;

/** One incarnation of a lease. A later lease of the same id is another one. */
public record LeaseRef(long id, long incarnation) {}
