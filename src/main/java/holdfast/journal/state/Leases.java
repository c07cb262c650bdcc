package holdfast.journal.state;

/** Which leases are alive, by the log so far. */
@FunctionalInterface
public interface Leases {

  boolean isAlive(long id, long incarnation);
}
