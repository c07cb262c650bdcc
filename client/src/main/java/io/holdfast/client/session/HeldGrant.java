package io.holdfast.client.session;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A grant, from its confirmation to its release or loss. Its validity may be read by any thread.
 */
public final class HeldGrant {

  private final String key;
  private final long fencingToken;
  private final Validity validity;
  private final boolean isOfSession;
  private @Nullable Consumer<LossCause> onLost;

  long renewAt;
  boolean isRenewing;
  boolean isOver;

  HeldGrant(String key, long fencingToken, Validity validity, boolean isOfSession) {
    this.key = key;
    this.fencingToken = fencingToken;
    this.validity = validity;
    this.isOfSession = isOfSession;
  }

  public String key() {
    return key;
  }

  public long fencingToken() {
    return fencingToken;
  }

  public Validity validity() {
    return validity;
  }

  /**
   * Sets the listener to its loss, once, when it is granted. It is called on the session's thread.
   */
  public void onLost(Consumer<LossCause> listener) {
    onLost = listener;
  }

  boolean isOfSession() {
    return isOfSession;
  }

  void lose(LossCause reason) {
    isOver = true;
    if (onLost != null) {
      onLost.accept(reason);
    }
  }
}
