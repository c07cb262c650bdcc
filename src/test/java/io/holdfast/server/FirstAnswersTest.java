package io.holdfast.server;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.Owners;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which shards a starting node asks, and until when. */
class FirstAnswersTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);

  private final Map<Integer, CompletableFuture<String>> asked = new ConcurrentHashMap<>();

  @Test
  void all_must_have_answered() {
    FirstAnswers answers = FirstAnswers.begin(List.of(3, 5), this::ask);
    asked(3).complete("free");
    assertFalse(answers.all().isDone());
    assertEquals(Set.of(5), answers.missing());
    asked(5).complete("held");
    assertTrue(answers.all().isDone());
  }

  @Test
  void a_shard_that_does_not_answer_is_asked_again() {
    FirstAnswers answers = FirstAnswers.begin(List.of(3), this::ask);
    CompletableFuture<String> first = asked(3);
    first.completeExceptionally(new IllegalStateException("planted"));
    eventually("asked again", WITHIN, () -> asked(3), now -> now != first);
    assertFalse(answers.all().isDone());
    asked(3).complete("free");
    eventually("all", WITHIN, () -> answers.all().isDone(), done -> done);
  }

  @Test
  void not_all_are_asked_at_once() {
    int shards = FirstAnswers.MOST_AT_A_TIME + 1;
    FirstAnswers answers =
        FirstAnswers.begin(IntStream.range(0, shards).boxed().toList(), this::ask);
    assertEquals(FirstAnswers.MOST_AT_A_TIME, asked.size());
    asked(7).complete("free");
    assertEquals(shards, asked.size());
    asked.values().forEach(open -> open.complete("free"));
    assertTrue(answers.all().isDone());
  }

  @Test
  void owned_shards_are_asked_or_one_if_none_is_owned() {
    assertEquals(List.of(0), FirstAnswers.worthAsking(owned(Set.of()), 4));
    assertEquals(List.of(1, 3), FirstAnswers.worthAsking(owned(Set.of(1, 3)), 4));
  }

  private static Owners owned(Set<Integer> shards) {
    return shard ->
        shards.contains(shard)
            ? Optional.of(new Owners.Owner(1, "akka://holdfast@host:1", "", 1))
            : Optional.empty();
  }

  private CompletableFuture<String> asked(int shard) {
    return Objects.requireNonNull(asked.get(shard), "nobody asked");
  }

  private CompletionStage<String> ask(int shard) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    asked.put(shard, answer);
    return answer;
  }
}
