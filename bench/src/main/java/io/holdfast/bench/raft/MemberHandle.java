package io.holdfast.bench.raft;

import io.holdfast.bench.cluster.NodeProcess;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A running process that takes commands as {@link MemberProcess} does, as seen from outside. */
public final class MemberHandle {

  /** Names a directory of classes that processes have in place of the real ones: mistakes. */
  static final String PLANTED = "bench.planted";

  /** In how many seconds a process must answer. */
  static final String ANSWER_WITHIN = "bench.answer-within-s";

  private static final int ANSWER_WITHIN_SECONDS = 120;

  private final Process process;
  private final BufferedWriter in;
  private final CompletableFuture<String> ready = new CompletableFuture<>();
  private final Map<Long, CompletableFuture<String>> waiting = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final Thread reader;

  /**
   * Starts a member.
   *
   * @param told receives the events that the member reports, until its process has ended
   */
  MemberHandle(
      Path data,
      String address,
      String all,
      long snapshotAfterBytes,
      boolean forgetful,
      Consumer<String> told)
      throws IOException {
    this(
        MemberProcess.class,
        List.of(
            data.toString(),
            address,
            all,
            Long.toString(snapshotAfterBytes),
            Boolean.toString(forgetful)),
        List.of("-Xms256m", "-Xmx768m"),
        told);
  }

  /**
   * Starts a process.
   *
   * @param options of its JVM, beyond those that all have
   * @param told receives the events that the process reports, until it has ended
   */
  public MemberHandle(
      Class<?> main, List<String> arguments, List<String> options, Consumer<String> told)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(NodeProcess.jvm());
    command.addAll(options);
    command.add("-Dlogback.configurationFile=member-logback.xml");
    command.add("-Dbench.log=" + System.getProperty("bench.log", "WARN"));
    String classes = System.getProperty("java.class.path");
    String planted = System.getProperty(PLANTED, "");
    command.addAll(
        List.of("-cp", planted.isEmpty() ? classes : planted + File.pathSeparator + classes));
    command.add(main.getName());
    command.addAll(arguments);
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    in = process.outputWriter(StandardCharsets.UTF_8);
    reader = new Thread(() -> read(told), "reads-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Waits until the member runs. */
  public void awaitReady() {
    get("start", ready);
  }

  private CompletableFuture<String> send(String command) {
    long number = numbers.incrementAndGet();
    CompletableFuture<String> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    try {
      synchronized (in) {
        in.write(number + " " + command + "\n");
        in.flush();
      }
    } catch (IOException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  /** Sends a command, and does not wait for its answer. */
  public void tell(String command) {
    var unused = send(command).exceptionally(lost -> "");
  }

  /** Sends a command and waits for the answer. */
  public String ask(String command) {
    return get(command, send(command));
  }

  long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Sends kill -9 and does not wait. */
  public void beginKill() {
    process.destroyForcibly();
  }

  /** Ends the process with kill -9; says when, and waits until all it said has been read. */
  public long kill() {
    long at = System.nanoTime();
    process.destroyForcibly();
    try {
      process.waitFor();
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return at;
  }

  /** Sends a signal by name. */
  void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(pid())).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(Consumer<String> told) {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        int space = line.indexOf(' ');
        if (line.startsWith("* ready")) {
          ready.complete(line);
        } else if (line.startsWith("* ")) {
          told.accept(line.substring(2));
        } else if (space > 0 && line.substring(0, space).chars().allMatch(Character::isDigit)) {
          CompletableFuture<String> answer =
              waiting.remove(Long.parseLong(line.substring(0, space)));
          if (answer != null) {
            answer.complete(line.substring(space + 1));
          }
        } else {
          System.err.println(line);
        }
      }
    } catch (IOException e) {
      // The process has ended.
    }
    IOException ended = new IOException("the process of the member has ended");
    ready.completeExceptionally(ended);
    waiting.values().forEach(answer -> answer.completeExceptionally(ended));
  }

  static <T> T get(String what, CompletableFuture<T> answer) {
    try {
      return answer.get(Integer.getInteger(ANSWER_WITHIN, ANSWER_WITHIN_SECONDS), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(what + ": interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(what + ": " + e, e);
    }
  }
}
