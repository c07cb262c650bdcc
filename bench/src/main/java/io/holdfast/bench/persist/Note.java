package io.holdfast.bench.persist;

import io.holdfast.bytes.Bytes;

/** The event that a writer persists: its number, from 1, and bytes that mean nothing. */
record Note(long number, Bytes bytes) {}
