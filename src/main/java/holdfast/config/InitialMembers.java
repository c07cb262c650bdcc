package holdfast.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The members that found a cluster, as they are written: {@code host:port}, or with a mark. */
final class InitialMembers {

  /** The most of them. */
  static final int MAX = 32;

  static final String WITNESS = "/witness";

  private static final int MAX_ADDRESS_LENGTH = 512;
  private static final Pattern FORM =
      Pattern.compile("(\\[([0-9a-fA-F:.]+)]|[^\\s:/\\[\\]]+):(\\d{1,5})(" + WITNESS + ")?");

  private InitialMembers() {}

  /** Reads one member; empty if it is none. */
  static Optional<InitialMember> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || text.length() > MAX_ADDRESS_LENGTH) {
      return Optional.empty();
    }
    int port = Integer.parseInt(form.group(3));
    if (port < 1 || port > 65_535) {
      return Optional.empty();
    }
    String host = form.group(2) == null ? form.group(1) : form.group(2);
    return Optional.of(new InitialMember(new ListenAddress(host, port), form.group(4) != null));
  }

  /** What is wrong with these members together, and for the one at this address. */
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
    } else if (!addresses.contains(own)) {
      problems.add(
          "does not name this node, which is [%s] by holdfast.raft.host and .port: %s"
              .formatted(own, members));
    }
    return problems;
  }
}
