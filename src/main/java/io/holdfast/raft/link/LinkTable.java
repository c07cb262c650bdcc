package io.holdfast.raft.link;

import io.holdfast.raft.core.MemberId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The links to other members: one to each that is kept, and one back to each that is admitted.
 *
 * <p>Whoever leads dials by its own log. A member whose log is behind may not know it yet, and must
 * be able to answer all the same, or its log stays behind for ever.
 */
final class LinkTable {

  private final LinkContext context;
  private final Map<MemberId, PeerLink> links = new HashMap<>();
  private final Set<MemberId> kept = new HashSet<>();
  private List<PeerLink> all = List.of();

  LinkTable(LinkContext context) {
    this.context = context;
  }

  /** The link to a member; null if there is none. */
  @Nullable PeerLink to(MemberId member) {
    return links.get(member);
  }

  /** All of them; a list that does not change. */
  List<PeerLink> all() {
    return all;
  }

  /** Keeps links to exactly these peers, and those back to others who are admitted. */
  void keep(Collection<Peer> peers, Handshake handshake) {
    Map<MemberId, PeerLink> before = new HashMap<>(links);
    links.clear();
    kept.clear();
    for (Peer peer : peers) {
      if (!peer.id().equals(context.self.member())) {
        PeerLink old = before.get(peer.id());
        boolean same = old != null && old.peer().equals(peer);
        kept.add(peer.id());
        links.put(peer.id(), same ? old : new PeerLink(context, handshake, peer));
      }
    }
    before.forEach(
        (member, link) -> {
          if (!kept.contains(member) && handshake.hasAdmitted(member)) {
            links.put(member, link);
          } else if (links.get(member) != link) {
            link.close();
          }
        });
    all = List.copyOf(links.values());
  }

  /** A member introduced itself on a connection that it dialed. */
  void introduced(Hello hello, Handshake handshake) {
    PeerLink back = links.get(hello.from());
    if (back == null && !hello.from().equals(context.self.member())) {
      back = new PeerLink(context, handshake, new Peer(hello.from(), hello.address()));
      links.put(hello.from(), back);
      all = List.copyOf(links.values());
    }
    if (back != null) {
      back.introduced(hello.incarnation());
    }
  }

  /** A connection that a member had dialed ended. */
  void inboundEnded(MemberId member, LinkEnding ending) {
    PeerLink back = links.get(member);
    if (back == null) {
      return;
    }
    if (kept.contains(member)) {
      back.inboundEnded(ending);
    } else {
      links.remove(member);
      all = List.copyOf(links.values());
      back.close();
    }
  }
}
