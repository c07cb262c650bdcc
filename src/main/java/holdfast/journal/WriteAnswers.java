package holdfast.journal;

import akka.dispatch.Futures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import scala.concurrent.Future;
import scala.concurrent.Promise;

/** What Akka is told of writes that came together, once all of them have their verdict. */
final class WriteAnswers {

  private final Promise<Iterable<Optional<Exception>>> told = Futures.promise();
  private final List<Optional<Exception>> answers;
  private int open;

  WriteAnswers(int writes) {
    answers = new ArrayList<>(Collections.nCopies(writes, Optional.empty()));
    open = writes;
  }

  Future<Iterable<Optional<Exception>>> future() {
    return told.future();
  }

  void written(int place) {
    answer(place, Optional.empty());
  }

  /** This one was not even tried. */
  void rejected(int place, Exception reason) {
    answer(place, Optional.of(reason));
  }

  /** One has failed, so all are told to have: their actor is at its end. */
  void failed(Throwable reason) {
    told.tryFailure(reason);
  }

  private void answer(int place, Optional<Exception> answer) {
    boolean last;
    synchronized (this) {
      answers.set(place, answer);
      last = --open == 0;
    }
    if (last) {
      told.trySuccess(answers);
    }
  }
}
