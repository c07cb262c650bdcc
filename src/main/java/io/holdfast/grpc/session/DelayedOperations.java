package io.holdfast.grpc.session;

import io.holdfast.v1.Operation;
import java.util.ArrayDeque;
import java.util.Deque;

/** The operations of one stream for which there was no room yet, in their order. */
final class DelayedOperations {

  /** Bytes of memory that an operation takes beside its own. */
  private static final int OF_ONE = 512;

  private final Deque<Operation> operations = new ArrayDeque<>();
  private int bytes;

  void add(Operation operation) {
    operations.add(operation);
    bytes += operation.getSerializedSize() + OF_ONE;
  }

  Operation removeFirst() {
    Operation first = operations.removeFirst();
    bytes -= first.getSerializedSize() + OF_ONE;
    return first;
  }

  /** Whether the first of them is one that goes first at its node. */
  boolean firstGoesFirst() {
    return goesFirst(operations.getFirst());
  }

  /** Whether one for the same key is among them, which it must not overtake. */
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

  /** How large they are together. */
  int bytes() {
    return bytes;
  }

  void clear() {
    operations.clear();
    bytes = 0;
  }

  /** True if a holder or a waiter asks. */
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
