package io.holdfast.raft.link;

import io.holdfast.raft.core.MemberId;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handshake of connections that others dial: judges each hello, and keeps the connections that
 * it has admitted.
 */
final class Handshake {

  private static final Logger LOG = LoggerFactory.getLogger(Handshake.class);

  /** The number of members whose newest incarnation is remembered. */
  private static final int MAX_REMEMBERED = 1024;

  private final LinkContext context;
  private final Set<Inbound> pending = new LinkedHashSet<>();
  private final Map<MemberId, Inbound> admitted = new HashMap<>();
  private final Map<MemberId, Long> incarnations =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<MemberId, Long> eldest) {
          return size() > MAX_REMEMBERED;
        }
      };
  private final Set<String> refusalsTold = new HashSet<>();

  Handshake(LinkContext context) {
    this.context = context;
  }

  /**
   * Notes an accepted connection. If too many have not finished their handshake, the oldest one
   * from the address with the most of them is closed.
   */
  void arrived(Inbound inbound) {
    if (pending.size() >= context.settings.maxPendingHandshakes()) {
      oldestOfMost(pending, Inbound::from).end(LinkEnding.CLOSED, "too many pending handshakes");
    }
    pending.add(inbound);
  }

  /** Returns the first from the place with the most; of several such places, the first of all. */
  static <T> T oldestOfMost(Collection<T> all, Function<T, Object> from) {
    Map<Object, Integer> counts = new HashMap<>();
    all.forEach(each -> counts.merge(from.apply(each), 1, Integer::sum));
    int most = Collections.max(counts.values());
    return all.stream()
        .filter(each -> counts.getOrDefault(from.apply(each), 0) == most)
        .findFirst()
        .orElseThrow();
  }

  /** Judges a hello that asks for a link. Null if it is admitted. */
  @Nullable Refused judge(Hello hello) {
    LinkIdentity self = context.self;
    long cluster = context.cluster();
    if (hello.group() != self.group()) {
      return refuse(hello, Refused.GROUP, "group", hello.group(), self.group());
    } else if (hello.cluster() == 0 || (cluster != 0 && cluster != hello.cluster())) {
      return refuse(hello, Refused.CLUSTER, "cluster", hello.cluster(), cluster);
    } else if (hello.wanted() != self.member().value()) {
      String wanted = hello.wanted() > 0 ? new MemberId(hello.wanted()).toString() : "nobody";
      return refuse(hello, Refused.MEMBER, "member", wanted, self.member());
    }
    long newest = incarnations.getOrDefault(hello.from(), Long.MIN_VALUE);
    if (hello.incarnation() < newest) {
      return refuse(hello, Refused.INCARNATION, "incarnation", hello.incarnation(), newest);
    } else if (admitted.size() >= context.settings.maxInbound()
        && !admitted.containsKey(hello.from())) {
      return refuse(hello, Refused.BUSY, "connection", "one more", admitted.size());
    }
    return null;
  }

  /** True if a connection that this member dialed is open. */
  boolean hasAdmitted(MemberId member) {
    return admitted.containsKey(member);
  }

  /** Admits a connection; one that the same member had before is closed. */
  void admit(Inbound inbound, Hello hello) {
    close(hello.from(), "the peer has dialed anew");
    pending.remove(inbound);
    admitted.put(hello.from(), inbound);
    incarnations.remove(hello.from());
    incarnations.put(hello.from(), hello.incarnation());
  }

  /** Closes the connection that this member dialed, if there is one. */
  void close(MemberId member, String why) {
    Inbound before = admitted.get(member);
    if (before != null) {
      before.end(LinkEnding.CLOSED, why);
    }
  }

  void left(Inbound inbound, @Nullable MemberId member) {
    pending.remove(inbound);
    if (member != null) {
      admitted.remove(member, inbound);
    }
  }

  /** A member sent what no member can send. */
  void warnOnce(MemberId member, String what) {
    if (refusalsTold.size() < MAX_REMEMBERED && refusalsTold.add(member + " implausible")) {
      LOG.warn("ended a link of {}: {}", member, what);
    }
  }

  Refused refuseVersion() {
    context.counters.countRefused();
    return new Refused(Refused.VERSION, "the format version here is [" + FrameFormat.VERSION + "]");
  }

  private Refused refuse(Hello hello, byte code, String what, Object said, Object expected) {
    String text = "%s [%s] was said, [%s] is here".formatted(what, said, expected);
    context.counters.countRefused();
    if (refusalsTold.size() < MAX_REMEMBERED && refusalsTold.add(hello.from() + " " + code)) {
      LOG.warn("refused a link of {} from {}: {}", hello.from(), hello.address(), text);
    }
    return new Refused(code, text);
  }
}
