package io.holdfast.grpc.guard;

import akka.event.LoggingAdapter;

/**
 * The rate-limited log of Akka HTTP's warnings and errors about connections. A client can cause
 * them at any rate. Lower levels are off.
 */
final class RateLimitedAkkaLog implements LoggingAdapter {

  private final RateLimitedLog complaints;

  RateLimitedAkkaLog(RateLimitedLog complaints) {
    this.complaints = complaints;
  }

  @Override
  public boolean isErrorEnabled() {
    return true;
  }

  @Override
  public boolean isWarningEnabled() {
    return true;
  }

  @Override
  public boolean isInfoEnabled() {
    return false;
  }

  @Override
  public boolean isDebugEnabled() {
    return false;
  }

  @Override
  public void notifyError(String message) {
    complaints.add(message);
  }

  @Override
  public void notifyError(Throwable cause, String message) {
    complaints.add(message + ": " + cause);
  }

  @Override
  public void notifyWarning(String message) {
    complaints.add(message);
  }

  @Override
  public void notifyInfo(String message) {}

  @Override
  public void notifyDebug(String message) {}
}
