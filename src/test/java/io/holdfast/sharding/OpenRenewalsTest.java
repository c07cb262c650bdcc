package io.holdfast.sharding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.member.Owners;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockKey;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.RenewalMessage;
import io.holdfast.wire.ReplyTo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests which renewals a node resends, and how old they are then. */
class OpenRenewalsTest {

  private static final Renewal RENEWAL =
      new Renewal.OfGrant(new LockKey("key"), new FencingToken(1));

  private final List<Long> agesMs = new ArrayList<>();
  private final List<Renewal.Answer> answers = new ArrayList<>();
  private final OpenRenewals renewals =
      new OpenRenewals(
          LocalKeepers.NONE,
          shard -> Optional.of(new Owners.Owner(1, "akka://there", "", new Epoch(1))),
          renewal -> ShardId.of(3),
          (node, items) -> items.forEach(item -> agesMs.add(item.ageMs())));

  private long now = Long.MAX_VALUE - 1_000_000; // it wraps

  @Test
  void a_resent_renewal_has_the_age_of_its_first_copy() {
    ask();
    pass(3);
    renewals.flush(now);
    pass(247);
    renewals.again(now);
    pass(500);
    renewals.again(now);
    pass(1);
    renewals.moved(ShardId.of(3), now);
    assertEquals(List.of(3L, 250L, 750L, 751L), agesMs);
  }

  @Test
  void a_renewal_without_an_answer_is_resent_for_ten_seconds() {
    ask();
    renewals.flush(now);
    for (int i = 0; i < 80; i++) {
      pass(250);
      renewals.again(now);
    }
    long last = agesMs.get(agesMs.size() - 1);
    assertTrue(last > 9_000 && last <= 10_000, agesMs::toString);
    assertEquals(List.of(), answers);
  }

  private void ask() {
    assertTrue(renewals.ask(new RenewalMessage.Ask(RENEWAL, new ReplyTo<>(answers::add)), now));
  }

  private void pass(long millis) {
    now += Duration.ofMillis(millis).toNanos();
  }
}
