package holdfast.grpc.guard;

import akka.http.javadsl.model.AttributeKey;

/** The one whose connection a request came by. */
public final class Caller {

  /** Where a request has it. */
  public static final AttributeKey<Caller> KEY = AttributeKey.create("caller", Caller.class);

  /** One that is taken as gone. */
  public static final Caller UNKNOWN = new Caller();

  static {
    UNKNOWN.left();
  }

  private volatile boolean connected = true;

  Caller() {}

  void left() {
    connected = false;
  }

  /** Whether its connection stands. */
  public boolean isConnected() {
    return connected;
  }
}
