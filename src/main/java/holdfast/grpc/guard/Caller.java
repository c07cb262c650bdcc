package holdfast.grpc.guard;

import akka.http.javadsl.model.AttributeKey;
import java.util.concurrent.atomic.AtomicInteger;

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
  private final AtomicInteger streams = new AtomicInteger();
  private final AtomicInteger operations = new AtomicInteger();

  Caller() {}

  /** How many streams of many messages its connection has. */
  public AtomicInteger streams() {
    return streams;
  }

  /** How many operations are open in its streams. */
  public AtomicInteger operations() {
    return operations;
  }

  void left() {
    connected = false;
  }

  /** Whether its connection stands. */
  public boolean isConnected() {
    return connected;
  }
}
