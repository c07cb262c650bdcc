package io.holdfast.config;

import io.holdfast.config.member.Addresses;
import io.holdfast.config.member.ListenAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The members that found a cluster, as they are written: {@code host:port}, or with a mark. */
final class InitialMembers {

  /** The most of them. */
  static final int MAX = 32;

  static final String WITNESS = "/witness";

  private InitialMembers() {}

  /** Reads one member; empty if it is none. */
  static Optional<InitialMember> parse(String text) {
    boolean isWitness = text.endsWith(WITNESS);
    String address = isWitness ? text.substring(0, text.length() - WITNESS.length()) : text;
    return Addresses.parse(address).map(where -> new InitialMember(where, isWitness));
  }

  /**
   * The faults of these members together, and those for one at this address, which they need not
   * name: the list counts at the founding only.
   */
  static List<String> problems(List<InitialMember> members, ListenAddress own) {
    List<String> problems = new ArrayList<>();
    if (members.isEmpty()) {
      return problems;
    }
    List<ListenAddress> addresses = members.stream().map(InitialMember::address).toList();
    if (members.size() > MAX) {
      problems.add("has [" + members.size() + "] members, the maximum is [" + MAX + "]");
    }
    if (addresses.stream().distinct().count() != addresses.size()) {
      problems.add("has an address twice: " + addresses);
    }
    if (members.stream().allMatch(InitialMember::witness)) {
      problems.add("has only witnesses: " + members);
    }
    if (own.port() == 0) {
      problems.add("names members, so holdfast.raft.port cannot be [0]: they must know the port");
    }
    return problems;
  }
}
