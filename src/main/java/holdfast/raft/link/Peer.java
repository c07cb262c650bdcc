package holdfast.raft.link;

import holdfast.raft.core.MemberId;

/** Another member, and the address ({@code host:port}) at which its links listen. */
public record Peer(MemberId id, String address) {}
