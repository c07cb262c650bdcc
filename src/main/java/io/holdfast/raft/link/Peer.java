package io.holdfast.raft.link;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.MemberId;
import java.util.List;

/** Another member, and the address ({@code host:port}) at which its links listen. */
public record Peer(MemberId id, String address) {

  /** Everyone a member has links with. */
  public static List<Peer> others(Configuration configuration, MemberId self) {
    return configuration.everyone().stream()
        .filter(id -> !id.equals(self))
        .flatMap(id -> configuration.member(id).stream())
        .map(row -> new Peer(row.id(), row.address()))
        .toList();
  }
}
