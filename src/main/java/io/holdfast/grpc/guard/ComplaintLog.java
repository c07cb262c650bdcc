package io.holdfast.grpc.guard;

import akka.event.LoggingAdapter;

/**
 * The log of what Akka HTTP has to say of a connection: a client can make it say as much as it
 * likes, so it is complained of, and the rest is left out.
 */
final class ComplaintLog implements LoggingAdapter {

  private final Complaints complaints;

  ComplaintLog(Complaints complaints) {
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
