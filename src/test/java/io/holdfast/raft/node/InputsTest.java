package io.holdfast.raft.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jctools.queues.MpscArrayQueue;
import org.junit.jupiter.api.Test;

class InputsTest {

  private final List<String> told = new ArrayList<>();
  private Runnable meanwhile = () -> {};

  @Test
  void a_request_carried_out_before_the_end_is_not_refused() {
    Inputs inputs =
        new Inputs(
            new MpscArrayQueue<>(4) {
              @Override
              public boolean offer(Inputs.Input input) {
                boolean taken = super.offer(input);
                meanwhile.run();
                return taken;
              }
            },
            new NoLinks());
    meanwhile =
        () -> {
          Objects.requireNonNull(inputs.next()).carryOut();
          inputs.close();
        };
    assertTrue(inputs.offer(input("one")));
    assertEquals(List.of("one carried out"), told);
  }

  @Test
  void an_input_during_the_end_is_refused_once() {
    Inputs inputs =
        new Inputs(
            new MpscArrayQueue<>(4) {
              @Override
              public boolean offer(Inputs.Input input) {
                meanwhile.run();
                return super.offer(input);
              }
            },
            new NoLinks());
    meanwhile = inputs::close;
    assertTrue(inputs.offer(input("one")));
    assertTrue(inputs.offer(input("two")));
    assertEquals(List.of("one refused", "two refused"), told);
  }

  private Inputs.Input input(String name) {
    return new Inputs.Input() {
      @Override
      public void carryOut() {
        told.add(name + " carried out");
      }

      @Override
      public void refuse() {
        told.add(name + " refused");
      }
    };
  }
}
