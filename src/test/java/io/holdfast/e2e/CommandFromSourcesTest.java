package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that runs the command line from the sources, with a build that is only played. */
class CommandFromSourcesTest {

  private static final String BUILD =
      """
      #!/usr/bin/env bash
      echo "$@" >>builds
      mkdir -p cli/target/universal/stage/bin
      printf '%s\\n' '#!/usr/bin/env bash' 'printf "[%s]" "$@"' >cli/target/universal/stage/bin/holdfast
      chmod +x cli/target/universal/stage/bin/holdfast
      """;

  @TempDir private Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.copy(Path.of("holdfast"), folder.resolve("holdfast"));
    for (String sources : List.of("project", "cli/src", "client/src/main", "src/main/protobuf")) {
      Files.createDirectories(folder.resolve(sources));
    }
    Files.writeString(folder.resolve("build.sbt"), "");
    Files.writeString(folder.resolve("cli/src/Get.java"), "");
    script(BUILD);
  }

  private void script(String text) throws IOException {
    Path sbt = Files.writeString(folder.resolve("sbt"), text);
    Files.setPosixFilePermissions(sbt, PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void it_is_built_once_and_again_when_its_sources_have_changed() throws Exception {
    assertEquals("building the command line (once) ...\n[lock][a b][--][x]", run(0));
    assertEquals("[lock][a b][--][x]", run(0));
    Files.setLastModifiedTime(
        folder.resolve("cli/src/Get.java"), FileTime.from(Instant.now().plusSeconds(60)));
    assertEquals("building the command line (once) ...\n[lock][a b][--][x]", run(0));
    assertEquals(List.of("cli/stage", "cli/stage"), Files.readAllLines(folder.resolve("builds")));
  }

  @Test
  void a_build_that_fails_is_shown() throws Exception {
    script("#!/usr/bin/env bash\necho it is broken\nexit 1\n");
    assertTrue(run(69).endsWith("it is broken\n"));
  }

  private String run(int exitCode) throws Exception {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(folder.resolve("holdfast").toString(), "lock", "a b", "--", "x")
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    boolean hasEnded = process.waitFor(20, TimeUnit.SECONDS);
    process.destroyForcibly();
    String told = Files.readString(out);
    assertTrue(hasEnded, told);
    assertEquals(exitCode, process.exitValue(), told);
    return told;
  }
}
