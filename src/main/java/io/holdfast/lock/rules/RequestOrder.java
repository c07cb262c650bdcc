package io.holdfast.lock.rules;

import io.holdfast.lock.RequestId;
import java.util.Comparator;

/** Orders all requests, those of one client next to each other. */
final class RequestOrder implements Comparator<RequestId> {

  static final RequestOrder ORDER = new RequestOrder();

  private RequestOrder() {}

  @Override
  public int compare(RequestId one, RequestId other) {
    int byClient = one.client().value().compareTo(other.client().value());
    return byClient != 0 ? byClient : compareOfClient(one, other);
  }

  private int compareOfClient(RequestId one, RequestId other) {
    if (one instanceof RequestId.Named a && other instanceof RequestId.Named b) {
      return a.value().compareTo(b.value());
    } else if (one instanceof RequestId.Numbered a && other instanceof RequestId.Numbered b) {
      int bySession = a.session().compareTo(b.session());
      return bySession != 0 ? bySession : Long.compare(a.number(), b.number());
    } else if (one instanceof RequestId.Once a && other instanceof RequestId.Once b) {
      return Long.compare(a.value(), b.value());
    } else if (one instanceof RequestId.Cancelling a && other instanceof RequestId.Cancelling b) {
      return compare(a.of(), b.of());
    }
    return Integer.compare(one.match(KIND), other.match(KIND));
  }

  private static final RequestId.Cases<Integer> KIND =
      new RequestId.Cases<>() {
        @Override
        public Integer named(RequestId.Named named) {
          return 0;
        }

        @Override
        public Integer numbered(RequestId.Numbered numbered) {
          return 1;
        }

        @Override
        public Integer once(RequestId.Once once) {
          return 2;
        }

        @Override
        public Integer cancelling(RequestId.Cancelling cancelling) {
          return 3;
        }
      };
}
