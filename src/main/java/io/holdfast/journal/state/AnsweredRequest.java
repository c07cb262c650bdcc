package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;

/** A request and its outcome. The append that carries it answers the request for good. */
public record AnsweredRequest(RequestKey request, Bytes outcome) {}
