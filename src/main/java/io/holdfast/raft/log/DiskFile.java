package io.holdfast.raft.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One open file. What is written is durable only after {@link #force}; until then a loss of power
 * may keep any part of it, and a reader sees all of it.
 */
public interface DiskFile extends AutoCloseable {

  long size() throws IOException;

  /** Fills the buffer from {@code position}, or as far as the file goes; says how many bytes. */
  int read(ByteBuffer into, long position) throws IOException;

  /** Writes all that remains in the buffer. */
  void write(ByteBuffer from, long position) throws IOException;

  /**
   * Makes the content durable.
   *
   * @param metadata also what is not needed to read it back, like times
   */
  void force(boolean metadata) throws IOException;

  @Override
  void close() throws IOException;
}
