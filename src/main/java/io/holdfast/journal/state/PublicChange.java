package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import java.util.List;

/**
 * One change of an id's public record, with the writer's note for watches. The journal neither
 * reads nor keeps the note.
 */
public sealed interface PublicChange {

  int MAX_NOTE_BYTES = 4 << 10;

  int MAX_PARTS = 65_535;

  /** Replaces the parts of the id's record. */
  record Set(List<Part> parts, Bytes note) implements PublicChange {
    public Set {
      parts = List.copyOf(parts);
      Required.within("parts", parts.size(), 1, MAX_PARTS);
      Required.within("public record", contents(parts), 0, Append.MAX_BYTES);
      Required.within("note", note.size(), 0, MAX_NOTE_BYTES);
    }

    /** A record of one part that is attached to no lease, without a note. */
    public static Set of(Bytes content) {
      return new Set(List.of(Part.of(content)), Bytes.EMPTY);
    }
  }

  /** Removes the id's record. It is no change if there is none. */
  record Absent(Bytes note) implements PublicChange {
    public Absent {
      Required.within("note", note.size(), 0, MAX_NOTE_BYTES);
    }
  }

  private static long contents(List<Part> parts) {
    long bytes = 0;
    for (Part part : parts) {
      bytes += part.content().size();
    }
    return bytes;
  }

  /** The bytes of its parts and its note. */
  default long bytes() {
    if (this instanceof Set set) {
      return contents(set.parts) + set.note.size();
    } else if (this instanceof Absent absent) {
      return absent.note.size();
    }
    throw new AssertionError(this);
  }
}
