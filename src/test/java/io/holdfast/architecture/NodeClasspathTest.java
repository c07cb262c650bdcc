package io.holdfast.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks which jars a node loads, as the build resolves them. */
class NodeClasspathTest {

  /** A client's transport, and stores that need code outside of the JVM. */
  private static final List<String> UNWANTED = List.of("netty", "lmdb", "jnr-", "jffi", "okhttp");

  @Test
  void a_node_brings_nothing_that_it_does_not_use() {
    List<String> jars =
        Stream.of(System.getProperty("runtime.classpath", "").split(File.pathSeparator, -1))
            .map(entry -> String.valueOf(Path.of(entry).getFileName()))
            .filter(name -> name.endsWith(".jar"))
            .toList();
    assertTrue(jars.stream().anyMatch(jar -> jar.startsWith("akka-cluster_")), jars::toString);
    assertEquals(
        List.of(),
        jars.stream().filter(jar -> UNWANTED.stream().anyMatch(jar::startsWith)).toList());
    assertEquals(List.of(), jars.stream().filter(jar -> jar.startsWith("grpc-netty")).toList());
  }
}
