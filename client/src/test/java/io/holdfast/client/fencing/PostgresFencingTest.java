package io.holdfast.client.fencing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Against a PostgreSQL of its own, on a port of its own, where one is installed. */
final class PostgresFencingTest extends JdbcFencingContract {

  @TempDir private static Path folder;
  private static int port;
  private static @Nullable Path programs;

  @BeforeAll
  static void start() throws Exception {
    Path found = find();
    assumeTrue(found != null, "no PostgreSQL is installed");
    programs = found;
    if (found == null) {
      return;
    }
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path data = Files.createDirectory(folder.resolve("data"));
    if (isRoot()) {
      run(List.of("chown", "-R", "postgres", folder.toString()));
      run(List.of("chmod", "o+x", folder.toString()));
    }
    boolean begins =
        run(
                asServer(
                    found.resolve("initdb").toString(),
                    "-D",
                    data.toString(),
                    "-A",
                    "trust",
                    "-U",
                    "fence",
                    "-N"))
            && run(
                asServer(
                    found.resolve("pg_ctl").toString(),
                    "-D",
                    data.toString(),
                    "-w",
                    "-o",
                    "-p " + port + " -c listen_addresses=127.0.0.1 -k " + folder + " -c fsync=off",
                    "-l",
                    folder.resolve("postgres.log").toString(),
                    "start"));
    assumeTrue(begins, "PostgreSQL does not start here");
  }

  private static @Nullable Path find() throws IOException {
    List<Path> folders = new ArrayList<>();
    Path debian = Path.of("/usr/lib/postgresql");
    if (Files.isDirectory(debian)) {
      try (Stream<Path> versions = Files.list(debian)) {
        versions.map(version -> version.resolve("bin")).forEach(folders::add);
      }
    }
    Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .map(Path::of)
        .forEach(folders::add);
    return folders.stream()
        .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
        .filter(bin -> Files.isExecutable(bin.resolve("pg_ctl")))
        .findFirst()
        .orElse(null);
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** PostgreSQL does not run as root. */
  private static List<String> asServer(String... command) {
    List<String> whole = new ArrayList<>();
    if (isRoot()) {
      whole.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
    }
    whole.addAll(List.of(command));
    return whole;
  }

  private static boolean run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("run.log").toFile()))
            .start();
    return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
  }

  @AfterAll
  static void stop() throws Exception {
    Path found = programs;
    if (found != null) {
      run(
          asServer(
              found.resolve("pg_ctl").toString(),
              "-D",
              folder.resolve("data").toString(),
              "-m",
              "immediate",
              "stop"));
    }
  }

  @Override
  Connection connect() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=fence");
  }
}
