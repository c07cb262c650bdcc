package io.holdfast.server;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.ShardId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Tests which shards a starting node asks, and until when. */
class FirstAnswersTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);

  private final Map<ShardId, CompletableFuture<String>> asked = new ConcurrentHashMap<>();

  @Test
  void all_must_have_answered() {
    FirstAnswers answers = FirstAnswers.begin(List.of(ShardId.of(3), ShardId.of(5)), this::ask);
    asked(ShardId.of(3)).complete("free");
    assertFalse(answers.all().isDone());
    assertEquals(Set.of(ShardId.of(5)), answers.missing());
    asked(ShardId.of(5)).complete("held");
    assertTrue(answers.all().isDone());
  }

  @Test
  void a_shard_that_does_not_answer_is_asked_again() {
    FirstAnswers answers = FirstAnswers.begin(List.of(ShardId.of(3)), this::ask);
    CompletableFuture<String> first = asked(ShardId.of(3));
    first.completeExceptionally(new IllegalStateException("planted"));
    eventually("asked again", WITHIN, () -> asked(ShardId.of(3)), now -> now != first);
    assertFalse(answers.all().isDone());
    asked(ShardId.of(3)).complete("free");
    eventually("all", WITHIN, () -> answers.all().isDone(), done -> done);
  }

  @Test
  void a_shard_that_fails_after_the_stop_is_not_asked_again() {
    FirstAnswers answers = FirstAnswers.begin(List.of(ShardId.of(3)), this::ask, Runnable::run);
    CompletableFuture<String> first = asked(ShardId.of(3));
    first.completeExceptionally(new IllegalStateException("planted"));
    CompletableFuture<String> second = asked(ShardId.of(3));
    assertNotEquals(first, second);
    answers.stop();
    second.completeExceptionally(new IllegalStateException("planted"));
    assertEquals(second, asked(ShardId.of(3)));
  }

  @Test
  void not_all_are_asked_at_once() {
    int shards = FirstAnswers.MOST_AT_A_TIME + 1;
    FirstAnswers answers = FirstAnswers.begin(ShardId.range(shards), this::ask);
    assertEquals(FirstAnswers.MOST_AT_A_TIME, asked.size());
    asked(ShardId.of(7)).complete("free");
    assertEquals(shards, asked.size());
    asked.values().forEach(open -> open.complete("free"));
    assertTrue(answers.all().isDone());
  }

  private CompletableFuture<String> asked(ShardId shard) {
    return Objects.requireNonNull(asked.get(shard), "nobody asked");
  }

  private CompletionStage<String> ask(ShardId shard) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    asked.put(shard, answer);
    return answer;
  }
}
