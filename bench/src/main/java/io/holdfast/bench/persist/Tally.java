package io.holdfast.bench.persist;

/** The state of a writer: the number of notes that it has persisted. */
record Tally(long notes) {

  static final Tally NONE = new Tally(0);

  /** The tally with the next note; any other shows that one is missing or came twice. */
  Tally with(Note note) {
    if (note.number() != notes + 1) {
      throw new IllegalStateException("note [" + note.number() + "] follows [" + notes + "]");
    }
    return new Tally(note.number());
  }
}
