package io.holdfast.coordination.state;

import java.util.Set;

/**
 * One row of the cluster's configuration.
 *
 * @param address the address at which its peer link listens; opaque here
 */
public record ConfiguredMember(NodeId id, String address, Set<NodeRole> roles) {

  public ConfiguredMember {
    roles = Set.copyOf(roles);
  }

  public boolean votes() {
    return NodeRole.votes(roles);
  }
}
