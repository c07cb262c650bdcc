package holdfast.journal.state;

/** What an append does to what everyone may see of a key. */
public sealed interface PublicChange {

  /** Nothing. Readers and watches do not learn of the append. */
  record None() implements PublicChange {}

  /** The key's record is this one from now on. */
  record Set(Bytes content) implements PublicChange {
    public Set {
      Required.within("public record", content.size(), 0, Append.MAX_BYTES);
    }
  }

  /** The key has no record from now on. */
  record Absent() implements PublicChange {}
}
