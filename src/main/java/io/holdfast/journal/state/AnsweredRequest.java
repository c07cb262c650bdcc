package io.holdfast.journal.state;

/** The outcome of a request: with the append that carries it, the request is answered for good. */
public record AnsweredRequest(RequestKey request, Bytes outcome) {}
