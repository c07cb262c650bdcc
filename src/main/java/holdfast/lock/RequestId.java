package holdfast.lock;

/** Which request: a client, and what it calls one request over all the times it is sent. */
public record RequestId(ClientId client, String value) {

  public static final int MAX_BYTES = 128;

  public RequestId {
    Text.require("request_id", value, MAX_BYTES);
  }

  @Override
  public String toString() {
    return client + "/" + value;
  }
}
