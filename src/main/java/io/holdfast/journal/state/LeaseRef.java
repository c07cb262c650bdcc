package io.holdfast.journal.state;

/** One life of a lease: a later lease of the same id is another one. */
public record LeaseRef(long id, long incarnation) {}
