package holdfast.journal.state;

/**
 * A client's request.
 *
 * @param number the client's own, which it never gives to another request
 * @param lowestOpen the lowest number that the client still waits for; heeded for a session
 */
public record Request(Client client, long number, long lowestOpen) {

  public Request {
    Required.within("request number", number, 0, Long.MAX_VALUE);
    Required.within("lowest open request", lowestOpen, 0, number);
  }
}
