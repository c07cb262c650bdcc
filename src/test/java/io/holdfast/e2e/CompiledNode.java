package io.holdfast.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Runs compiled classes with the scripts of the local cluster, without a staged folder. */
final class CompiledNode {

  private static final int PORTS = 30;

  private CompiledNode() {}

  /** The environment of a local cluster of compiled nodes, on ports that are free now. */
  static Map<String, String> forLocalCluster(Path folder) throws IOException {
    return Map.of(
        "JAVA_HOME",
        System.getProperty("java.home"),
        "HOLDFAST_LOCAL_PORT",
        Integer.toString(freePorts()),
        "HOLDFAST_LOCAL_JAVA",
        "-Xmx256m -XX:TieredStopAtLevel=1",
        "HOLDFAST_LOCAL_NODE",
        startScript(folder).toString());
  }

  private static Path startScript(Path folder) throws IOException {
    Path script = folder.resolve("node");
    Files.writeString(
        script,
        """
        #!/usr/bin/env bash
        exec '%s/bin/java' -XX:+ExitOnOutOfMemoryError $JAVA_OPTS "$@" -Dlogback.configurationFile=logback.xml '%s' io.holdfast.server.Main
        """
            .formatted(
                System.getProperty("java.home"), String.join("' '", ClassArchive.options())));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script;
  }

  /** The first of as many free ports in a row as a cluster has. */
  private static int freePorts() throws IOException {
    for (int attempt = 0; attempt < 100; attempt++) {
      int first = ThreadLocalRandom.current().nextInt(20_000, 30_000);
      List<ServerSocket> sockets = new ArrayList<>();
      try {
        for (int port = first; port < first + PORTS; port++) {
          sockets.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        }
        return first;
      } catch (IOException e) {
        // One is taken: try elsewhere.
      } finally {
        for (ServerSocket socket : sockets) {
          socket.close();
        }
      }
    }
    throw new AssertionError("no " + PORTS + " free ports in a row");
  }
}
