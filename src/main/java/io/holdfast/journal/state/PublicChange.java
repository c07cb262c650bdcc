package io.holdfast.journal.state;

import java.util.List;

/**
 * One change of what everyone may see of an id. A note is what the writer wants to say about it to
 * those who watch; the journal does not look inside, and does not keep it.
 */
public sealed interface PublicChange {

  int MAX_NOTE_BYTES = 4 << 10;

  int MAX_PARTS = 65_535;

  /** The id's record has these parts from now on. */
  record Set(List<Part> parts, Bytes note) implements PublicChange {
    public Set {
      parts = List.copyOf(parts);
      Required.within("parts", parts.size(), 1, MAX_PARTS);
      Required.within("public record", contents(parts), 0, Append.MAX_BYTES);
      Required.within("note", note.size(), 0, MAX_NOTE_BYTES);
    }

    /** A record of one part that hangs on no lease, and nothing to say about it. */
    public static Set of(Bytes content) {
      return new Set(List.of(Part.of(content)), Bytes.EMPTY);
    }
  }

  /** The id has no record from now on. No change if it has none. */
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

  /** How many bytes it brings along. */
  default long bytes() {
    if (this instanceof Set set) {
      return contents(set.parts) + set.note.size();
    } else if (this instanceof Absent absent) {
      return absent.note.size();
    }
    throw new AssertionError(this);
  }
}
