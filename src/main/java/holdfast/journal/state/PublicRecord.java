package holdfast.journal.state;

/** What everyone may see of a key, and the revision that made it so. */
public record PublicRecord(String key, Bytes content, long revision) {}
