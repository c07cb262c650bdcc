package io.holdfast.grpc.session;

import io.holdfast.v1.Operation;
import java.util.ArrayDeque;
import java.util.Deque;

/** The operations of one stream that wait to start, in their order. */
final class DelayedOperations {

  /** The memory overhead of one operation, in bytes. */
  private static final int OVERHEAD_OF_OPERATION = 512;

  private final Deque<Operation> operations = new ArrayDeque<>();
  private int bytes;

  void add(Operation operation) {
    operations.add(operation);
    bytes += operation.getSerializedSize() + OVERHEAD_OF_OPERATION;
  }

  Operation removeFirst() {
    Operation first = operations.removeFirst();
    bytes -= first.getSerializedSize() + OVERHEAD_OF_OPERATION;
    return first;
  }

  /** True if the first of them has priority at the node. */
  boolean firstGoesFirst() {
    return goesFirst(operations.getFirst());
  }

  /** True if an operation on the same key waits here. The given one must not overtake it. */
  boolean hasKeyOf(Operation operation) {
    String key = key(operation);
    return operations.stream().anyMatch(other -> key(other).equals(key));
  }

  boolean isEmpty() {
    return operations.isEmpty();
  }

  int size() {
    return operations.size();
  }

  /** Returns the bytes of all of them. */
  int bytes() {
    return bytes;
  }

  void clear() {
    operations.clear();
    bytes = 0;
  }

  /** True for the operations of holders and waiters. They have priority. */
  static boolean goesFirst(Operation operation) {
    return switch (operation.getOperationCase()) {
      case UNLOCK, CANCEL, RENEW -> true;
      case LOCK, VALIDATE, GET_LOCK, OPERATION_NOT_SET -> false;
    };
  }

  private static String key(Operation operation) {
    return switch (operation.getOperationCase()) {
      case LOCK -> operation.getLock().getKey();
      case UNLOCK -> operation.getUnlock().getKey();
      case CANCEL -> operation.getCancel().getKey();
      case RENEW -> operation.getRenew().getKey();
      case VALIDATE -> operation.getValidate().getKey();
      case GET_LOCK -> operation.getGetLock().getKey();
      case OPERATION_NOT_SET -> "";
    };
  }
}
