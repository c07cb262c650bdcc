package io.holdfast.e2e;

import static io.holdfast.e2e.Ran.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.fixtures.Project;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of a user, against three nodes. */
class CommandLineTest {

  private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":");
  private static final Pattern REVISION = Pattern.compile("\"revision\":\"(\\d+)\"");
  private static final Pattern NEXT = Pattern.compile("\"nextPage\":\"([^\"]+)\"");

  @TempDir private Path folder;

  private final String nodes = String.join(",", ClusterUnderTest.shared().endpoints());

  private final String admins = String.join(",", ClusterUnderTest.shared().adminEndpoints());

  private String run(String... arguments) {
    return ok(Ran.option(arguments[0]).equals("--endpoint") ? nodes : admins, arguments);
  }

  @Test
  void held_locks_are_listed_page_by_page() {
    List<String> keys = IntStream.range(0, 5).mapToObj(i -> "listed/" + i).toList();
    keys.forEach(key -> run("try-lock", key, "--ttl", "1m"));
    Ran first = Ran.run(nodes, "list", "listed/", "--limit", "2", "--output", "json");
    assertEquals(0, first.code());
    assertTrue(first.err().startsWith("holdfast: there is more: --page "), first::err);
    assertEquals(2, count(first.out(), "\"key\":"));
    String next = found(NEXT, first.out());
    String rest = run("list", "listed/", "--page", next, "--output", "json");
    assertEquals(3, count(rest, "\"key\":"), rest);
    assertFalse(rest.contains("nextPage"));

    String table = run("list", "listed/", "--limit", "2", "--all");
    keys.forEach(key -> assertTrue(table.contains(key + " "), table));
    assertEquals(64, Ran.run(nodes, "list", "--page", "!").code());
    assertEquals(64, Ran.run(nodes, "list", "--limit", "1001").code());
  }

  @Test
  void a_watch_tells_what_was_and_who_forced_it_and_why() {
    String token = run("try-lock", "forced", "--ttl", "1m");
    String from = found(REVISION, run("list", "forced", "--output", "json"));
    assertEquals(
        64, Ran.run(nodes, "force-unlock", "forced", "--reason", "r").code(), "of which grant?");
    assertEquals(64, Ran.run(nodes, "force-unlock", "forced", "--any").code(), "for what reason?");
    Ran stale = Ran.run(nodes, "force-unlock", "forced", "--token", "7", "--reason", "r");
    assertEquals(76, stale.code(), stale::toString);
    String taken =
        run("force-unlock", "forced", "--token", token, "--reason", "drill", "--who", "me");
    assertEquals("forced was taken from " + token, taken);
    assertEquals("forced was free", run("force-unlock", "forced", "--any", "--reason", "again"));

    String next = Long.toString(Long.parseLong(from) + 1);
    String told = run("watch", "forced", "--from", next, "--count", "1", "--output", "json");
    assertTrue(told.contains("\"cause\":\"FORCED\",\"fencingTokens\":[]"), told);
    assertTrue(told.contains("\"forceReason\":\"me: drill\""), told);
    String table = run("watch", "--prefix", "forc", "--from", next, "--count", "1");
    assertTrue(table.startsWith("REVISION") && table.endsWith("(me: drill)"), table);
  }

  @Test
  void a_watch_without_a_node_ends() throws Exception {
    try (var unused = new java.net.ServerSocket(0)) {
      Ran ran = Ran.run("127.0.0.1:" + unused.getLocalPort(), "watch", "k");
      assertEquals(69, ran.code(), ran::toString);
    }
  }

  @Test
  void a_lease_is_granted_kept_alive_listed_and_revoked() {
    String lease = run("lease", "grant", "--ttl", "30s");
    String kept = run("lease", "keep-alive", lease, "--once", "--output", "json");
    assertTrue(kept.startsWith("{\"leaseId\":\"" + lease + "\",\"incarnation\":"), kept);
    assertTrue(kept.endsWith("\"ttlMs\":\"30000\"}"), kept);
    assertTrue(
        run("lease", "list", "--all").lines().anyMatch(row -> row.matches(lease + " +30000 ms.*")));
    String ended = run("lease", "revoke", lease);
    assertEquals("lease " + lease + " has ended, and 0 grants with it", ended);
    assertEquals(76, Ran.run(nodes, "lease", "keep-alive", lease).code());
    assertEquals(76, Ran.run(nodes, "lease", "revoke", lease).code());
    assertFalse(run("lease", "list", "--all").contains(lease));
    assertEquals("4711", run("lease", "grant", "--id", "4711"));
    assertEquals(65, Ran.run(nodes, "lease", "grant", "--id", "4711").code());
  }

  @Test
  void every_field_of_json_is_documented() throws Exception {
    String key = "documented/1";
    Set<String> fields = new TreeSet<>();
    for (String out :
        List.of(
            run("try-lock", key, "--output", "json"),
            run("get", key, "--waiters", "5", "--output", "json"),
            run("list", key, "--output", "json"),
            run("force-unlock", key, "--any", "--reason", "r", "--output", "json"),
            run("lease", "grant", "--output", "json"),
            run("lease", "list", "--output", "json"),
            run("status", "--output", "json"),
            run("member", "list", "--output", "json"),
            run("snapshot", "save", folder.resolve("s").toString(), "--output", "json"))) {
      Matcher field = FIELD.matcher(out);
      while (field.find()) {
        fields.add(field.group(1));
      }
    }
    String document = Files.readString(Project.file("docs/cli.md"));
    assertEquals(
        Set.of(),
        fields.stream()
            .filter(field -> !document.contains("`" + field + "`"))
            .collect(Collectors.toSet()));
  }

  static String found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertTrue(matcher.find(), () -> pattern + " in " + text);
    return matcher.group(1);
  }

  private static int count(String text, String part) {
    assertNotEquals("", part);
    return (text.length() - text.replace(part, "").length()) / part.length();
  }
}
