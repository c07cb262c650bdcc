package io.holdfast.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks which jars come with the command line, as the build resolves them. */
final class RuntimeClasspathTest {

  private static final List<String> FORBIDDEN =
      List.of("akka", "scala", "lightbend", "typesafe", "cassandra");

  /**
   * Of a jar in a repository: group, artifact, version and file. Above may be anybody's folders.
   */
  private static final int TELLING_NAMES = 5;

  @Test
  void the_command_line_brings_no_akka_scala_or_cassandra() {
    String classpath = System.getProperty("runtime.classpath", "");
    List<String> jars =
        Stream.of(classpath.split(File.pathSeparator, -1))
            .filter(entry -> entry.endsWith(".jar"))
            .map(RuntimeClasspathTest::tellingNames)
            .toList();
    assertTrue(
        jars.stream().anyMatch(jar -> jar.contains("/grpc-api-")),
        "not a class path of the command line [" + classpath + "]");
    assertTrue(
        jars.stream().anyMatch(jar -> jar.contains("/grpc-netty-")),
        "no transport in [" + classpath + "]");
    assertEquals(List.of(), jars.stream().filter(RuntimeClasspathTest::isForbidden).toList());
  }

  private static String tellingNames(String jar) {
    Path path = Path.of(jar);
    int names = path.getNameCount();
    return path.subpath(Math.max(0, names - TELLING_NAMES), names).toString();
  }

  private static boolean isForbidden(String jar) {
    return FORBIDDEN.stream().anyMatch(jar.toLowerCase(Locale.ROOT)::contains);
  }
}
