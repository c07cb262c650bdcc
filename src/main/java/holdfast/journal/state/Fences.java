package holdfast.journal.state;

/** Which epoch each shard is at, by the log so far. */
@FunctionalInterface
public interface Fences {

  /** The shard's current epoch, which only its owner may write under; 0 if it never had one. */
  long epochOf(int shard);
}
