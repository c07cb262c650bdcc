package io.holdfast.raft.link;

import java.nio.ByteBuffer;

/** A wire that takes all that is written, and brings nothing. */
record TakingWire(ByteBuffer taken) implements Wire {

  @Override
  public int read(ByteBuffer into) {
    return 0;
  }

  @Override
  public boolean holdsMore() {
    return false;
  }

  @Override
  public void write(ByteBuffer from) {
    taken.put(from);
  }

  @Override
  public int interest(boolean writing) {
    return 0;
  }

  @Override
  public void close() {}
}
