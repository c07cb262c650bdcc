package holdfast.bench.persist;

import holdfast.journal.state.Bytes;

/** What a writer persists: which of its events this is, from 1, and bytes that mean nothing. */
record Note(long number, Bytes bytes) {}
