package holdfast.cli;

import holdfast.client.LockStatus;
import java.util.stream.Collectors;

/** Writes the status of a lock, for people and for programs. */
final class StatusText {

  private static final String ROW = "%-20s  %-8s  %-36s  %s";

  private StatusText() {}

  static String table(LockStatus status) {
    String head =
        "%s  %s  waiting: %d"
            .formatted(status.key(), status.isFree() ? "free" : "held", status.waiterCount());
    if (status.isFree()) {
      return head;
    }
    return head
        + status.holders().stream()
            .map(
                holder ->
                    ROW.formatted(
                        holder.fencingToken(),
                        holder.ttl().toMillis() + " ms",
                        holder.clientId(),
                        holder.holderId()))
            .collect(
                Collectors.joining(
                    "\n", "\n" + ROW.formatted("TOKEN", "TTL", "CLIENT", "HOLDER") + "\n", ""));
  }

  /** One line. Tokens are strings, as they exceed what JSON's numbers hold exactly everywhere. */
  static String json(LockStatus status) {
    String holders =
        status.holders().stream()
            .map(
                holder ->
                    "{\"fencingToken\":%s,\"clientId\":%s,\"holderId\":%s,\"ttlMs\":%s}"
                        .formatted(
                            quoted(Long.toString(holder.fencingToken())),
                            quoted(holder.clientId()),
                            quoted(holder.holderId()),
                            quoted(Long.toString(holder.ttl().toMillis()))))
            .collect(Collectors.joining(","));
    return "{\"key\":%s,\"holders\":[%s],\"waiterCount\":%d}"
        .formatted(quoted(status.key()), holders, status.waiterCount());
  }

  /** Keys and ids have no control characters: the server refuses them. */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
