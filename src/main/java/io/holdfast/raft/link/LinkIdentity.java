package io.holdfast.raft.link;

import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;

/**
 * The identity that a member shows on its links.
 *
 * @param incarnation rises with each start of the member's process
 * @param group the Raft group
 * @param address {@code host:port} at which others reach this member's links
 */
public record LinkIdentity(MemberId member, long incarnation, int group, String address) {

  public LinkIdentity {
    if (incarnation <= 0) {
      throw new IllegalArgumentException("incarnation [" + incarnation + "] must be positive");
    }
    if (address.length() > Member.MAX_ADDRESS_LENGTH) {
      throw new IllegalArgumentException(
          "address of ["
              + address.length()
              + "] characters exceeds ["
              + Member.MAX_ADDRESS_LENGTH
              + "]");
    }
  }
}
