package io.holdfast.config;

import io.holdfast.config.member.ListenAddress;

/**
 * One of the members that found a cluster.
 *
 * @param address the address at which its peer link listens
 * @param witness true if it only votes and keeps the log
 */
public record InitialMember(ListenAddress address, boolean witness) {

  @Override
  public String toString() {
    return witness ? address + InitialMembers.WITNESS : address.toString();
  }
}
