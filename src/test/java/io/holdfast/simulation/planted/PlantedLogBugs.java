package io.holdfast.simulation.planted;

import java.util.List;

/** All planted bugs of the log on disk; only members with the real log meet them. */
final class PlantedLogBugs {

  static final List<PlantedBug> ALL =
      List.of(
          PlantedBug.of(
              "sync of the log does nothing", "log/LogTail", "      active.force();\n", ""),
          PlantedBug.of(
              "log is not synced before it moves on",
              "log/LogTail",
              "  private void moveOn() throws IOException {\n    sync();",
              "  private void moveOn() throws IOException {\n    confirmed = nextSequence - 1;"),
          PlantedBug.of(
              "truncation is not written",
              "log/LogTail",
              "    encoder.truncated(index, termBefore);\n",
              ""),
          PlantedBug.of(
                  "truncation is written in a batch of its own",
                  "log/LogTail",
                  "    content.truncated(index, termBefore);\n",
                  "    content.truncated(index, termBefore);\n    flush();\n")
              .and(
                  "private void truncateFrom(long index) {",
                  "private void truncateFrom(long index) throws IOException {"),
          PlantedBug.of(
                  "new segment does not repeat the hard state",
                  "log/LogTail",
                  "        writtenHardState);",
                  "        HardState.NEW);")
              .andIn(
                  "log/LogContent",
                  "        && header.hardState().equals(hardState);",
                  "        && header.lastIndex() >= 0;"),
          PlantedBug.of(
              "new segment is used before its name is durable",
              "log/SpareSegment",
              "    disk.rename(NAME, header.name());\n    disk.force();",
              "    disk.rename(NAME, header.name());"),
          PlantedBug.of(
              "end of a segment does not say that another follows",
              "log/LogTail",
              "    active.write(farewell.finish(nextSequence, confirmed, active.header(),"
                  + " active.end()));\n    nextSequence++;\n    sync();\n",
              ""),
          PlantedBug.of(
              "snapshot is not synced before its rename",
              "log/SnapshotFileWriter",
              "          file.force(true);\n",
              ""),
          PlantedBug.of(
              "name of a snapshot is not made durable",
              "log/SnapshotStore",
              "      disk.force();\n      published =",
              "      published ="),
          PlantedBug.of(
              "snapshot is installed before its term is durable",
              "log/WriteAheadLog",
              """
                          tail.append(hardState, List.of());
                          tail.sync(); // the snapshot must not outlive the term that it came in
                          replaceBy(install.snapshot());
                          hardState = null;
              """,
              "            replaceBy(install.snapshot());\n"),
          PlantedBug.of(
              "own snapshot is kept before the log is durable",
              "log/WriteAheadLog",
              "    sync(); // the log must not end before its snapshot\n",
              ""),
          PlantedBug.of(
              "log is not emptied after a snapshot took its place",
              "log/WriteAheadLog",
              "            || entries.term(snapshot.index()) != snapshot.term())) {",
              "            && entries.term(snapshot.index()) != snapshot.term())) {"),
          PlantedBug.of(
              "torn batch passes without its checksum",
              "log/RecordCodec",
              "if (in.getInt(end) != checksum(in, start, end)) {",
              "if (end < 0) {"),
          PlantedBug.of(
              "torn write stays behind the last batch",
              "log/Recovery",
              "if (scan != null && scan.isTorn()) {",
              "if (scan != null && scan.sequence() < 0) {"),
          PlantedBug.of(
                  "used segment is used again as it is, without salt",
                  "log/LogTail",
                  "      disk.delete(oldest.header().name());",
                  "      disk.rename(oldest.header().name(), SpareSegment.NAME);")
              .andIn(
                  "log/SpareSegment",
                  "      file = disk.create(NAME);\n      filled = 0;",
                  """
                        boolean used = disk.list().contains(NAME);
                        file = used ? disk.open(NAME) : disk.create(NAME);
                        filled = used ? segmentBytes : 0;\
                  """)
              .andIn("log/BatchHeader", "    mix(crc, segment.salt());\n", "")
              .and("    mix(crc, segment.number());\n", ""),
          PlantedBug.of(
              "compaction deletes a segment that is still needed",
              "log/LogTail",
              "if (second.header().lastIndex() >= first) {",
              "if (oldest.header().lastIndex() >= first) {"),
          PlantedBug.of(
              "compaction deletes segments in any order",
              "log/LogTail",
              "      disk.force(); // before the next, so that a crash leaves no hole\n",
              ""),
          PlantedBug.of(
              "old entry is read from the batch before",
              "log/EntryIndex",
              "    placedTo = Math.min(placedTo, last());\n    cachedFrom",
              "    cachedFrom"));

  private PlantedLogBugs() {}
}
