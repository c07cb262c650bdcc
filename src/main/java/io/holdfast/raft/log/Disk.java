package io.holdfast.raft.log;

import java.io.IOException;
import java.util.List;

/**
 * One directory on a disk, which holds the files of one log.
 *
 * <p>Names created, renamed and deleted are durable only after {@link #force()}. Files may be
 * written by several threads, each file by one.
 */
public interface Disk {

  /** The names of all files, in no order. */
  List<String> list() throws IOException;

  /** Opens an existing file to read and write. */
  DiskFile open(String name) throws IOException;

  /** Makes an empty file, in place of any that has the name. */
  DiskFile create(String name) throws IOException;

  /** Gives a file another name, at once for every observer, in place of any that has it. */
  void rename(String from, String to) throws IOException;

  void delete(String name) throws IOException;

  /** Makes the names durable. */
  void force() throws IOException;
}
