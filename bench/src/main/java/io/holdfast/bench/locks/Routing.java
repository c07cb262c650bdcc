package io.holdfast.bench.locks;

/** To which node an operation goes. */
enum Routing {
  /** All to the first node. */
  ONE,
  /** Each asker has a node of its own. */
  EACH,
  /** To the owner of the key's shard, as far as the nodes have told. */
  OWNER
}
