package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client in another language, which knows nothing beforehand: it asks the server by reflection.
 */
class NodeSampleTest {

  private static final Path SAMPLE = Path.of("samples/node");
  private static final List<String> FILES =
      List.of(
          "package.json", "package-lock.json", "reflection.proto", "reflection.js", "sample.js");

  @TempDir private Path folder;

  @Test
  void node_learns_the_services_and_locks_watches_and_unlocks() throws Exception {
    assumeTrue(isThere("npm"), "npm is not on this machine: the sample for Node is not run");
    for (String file : FILES) {
      Files.copy(SAMPLE.resolve(file), folder.resolve(file));
    }
    run(180, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts");
    String told = run(60, "node", "sample.js", ClusterUnderTest.shared().address(1));
    List<String> lines = told.lines().toList();
    assertTrue(
        lines.get(0).contains("holdfast.v1.LockService")
            && lines.get(0).contains("grpc.health.v1.Health"),
        told);
    assertTrue(lines.get(1).matches("held: true fencing token: [1-9]\\d*"), told);
    assertEquals(
        List.of(
            "holder: sample",
            "another: false REASON_LOCKED",
            "released: true",
            "watched: TYPE_PUT CAUSE_GRANTED, TYPE_DELETE CAUSE_RELEASED"),
        lines.subList(2, lines.size()),
        told);
  }

  @Test
  void two_processes_of_the_sample_are_two_holders() throws Exception {
    Pattern request = Pattern.compile("ask\\(\"(?:lock|tryLock)\", \\{([^}]*)}");
    String sample = Files.readString(SAMPLE.resolve("sample.js"));
    List<String> requests = request.matcher(sample).results().map(found -> found.group(1)).toList();
    assertEquals(2, requests.size(), sample);
    assertTrue(requests.stream().allMatch(fields -> fields.contains("client_id,")), sample);
    assertTrue(sample.contains("client_id = `sample-${randomUUID()}`"), sample);
    assertTrue(
        Files.readString(Path.of("README.md"))
            .lines()
            .filter(line -> line.contains("\"holder_id\""))
            .allMatch(line -> line.contains("\"client_id\":\"shell-'$HOSTNAME-$$'\"")),
        "the README's calls are those of one shell");
  }

  private static boolean isThere(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  /** Runs a command in the folder, and answers what it wrote. */
  private String run(long withinSeconds, String... command)
      throws IOException, InterruptedException {
    Path out = folder.resolve(command[0] + ".out");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      boolean ended = process.waitFor(withinSeconds, TimeUnit.SECONDS);
      String told = Files.readString(out);
      assertTrue(ended, () -> String.join(" ", command) + " does not end: " + told);
      assertEquals(0, process.exitValue(), () -> String.join(" ", command) + ": " + told);
      return told;
    } finally {
      process.destroyForcibly();
    }
  }
}
