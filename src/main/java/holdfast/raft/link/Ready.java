package holdfast.raft.link;

/** What is told that its socket can do something: the attachment of a selection key. */
interface Ready {

  void ready();
}
