package io.holdfast.grpc.session;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.SessionRequest;

/**
 * The rules for the frames of a session. An invalid frame ends its stream, and none of its
 * operations is executed.
 */
final class SessionFrameRules {

  private static final int MAX_OPERATIONS = 1_024;

  private SessionFrameRules() {}

  static void requireValid(SessionRequest frame) {
    RequestReader.requireSize(frame.getSerializedSize());
    if (frame.getOperationsCount() > MAX_OPERATIONS) {
      throw invalid(
          "a frame has [%d] operations, above the maximum [%d]"
              .formatted(frame.getOperationsCount(), MAX_OPERATIONS));
    }
    for (Operation operation : frame.getOperationsList()) {
      if (operation.getNumber() <= 0) {
        throw invalid("an operation has the number [" + operation.getNumber() + "]");
      }
    }
  }

  static StatusRuntimeException invalid(String message) {
    return StatusMapping.error(Reason.REASON_FRAME_INVALID, message);
  }
}
