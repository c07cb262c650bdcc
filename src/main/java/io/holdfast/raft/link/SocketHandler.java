package io.holdfast.raft.link;

/** Is called when its socket can do something: the attachment of a selection key. */
interface SocketHandler {

  void ready();
}
