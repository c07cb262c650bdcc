package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LockChange;
import io.holdfast.client.LockListener;
import io.holdfast.client.LockStatus;
import io.holdfast.client.LockWatch;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast watch KEY}. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description = {
      "Tells each change of locks, in a line each, until Ctrl-C.",
      "It goes on at another node when one dies, without a gap. Who waits is no change."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast watch orders/42",
      "  holdfast watch --prefix orders/ --from 4711 --output json",
      "  holdfast watch --prefix '' --count 1"
    })
final class WatchSubcommand implements Callable<Integer>, LockListener {

  private static final Duration CREATED_WITHIN = Duration.ofSeconds(5);
  private static final String ROW = "%-16s  %-11s  %-20s  %s";

  /** The locks to watch: one key, or all with a prefix. */
  static final class Selector {

    @Parameters(paramLabel = "KEY", index = "0", description = "One lock.")
    private @Nullable String key;

    @Option(
        names = "--prefix",
        paramLabel = "PREFIX",
        required = true,
        description = "All locks whose keys begin so; '' for all.")
    private @Nullable String prefix;
  }

  @Mixin private final LockConnection connection = new LockConnection();
  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @ArgGroup(multiplicity = "1")
  private Selector selector = new Selector();

  @Option(
      names = "--from",
      paramLabel = "REVISION",
      defaultValue = "0",
      description = "Begins with the change of this revision. Default: with the next change.")
  private long from;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "0",
      description = "Ends after so many changes. Default: never.")
  private int count;

  private final CompletableFuture<Integer> ended = new CompletableFuture<>();
  private boolean isHeaded;
  private int told; // by one thread at a time, in order

  @Override
  public Integer call() throws InterruptedException {
    if (from < 0 || count < 0) {
      throw new IllegalArgumentException("--from and --count must not be negative");
    }
    try (HoldfastClient client = connection.openLasting();
        LockWatch watch = watch(client)) {
      awaitCreated(watch);
      head();
      return get(ended);
    }
  }

  /** Once, when the watch is there: a change of the past may come before that is known. */
  private synchronized void head() {
    if (!isHeaded && !output.isJson()) {
      spec.commandLine().getOut().println(ROW.formatted("REVISION", "CAUSE", "TOKEN", "KEY"));
      spec.commandLine().getOut().flush();
    }
    isHeaded = true;
  }

  private LockWatch watch(HoldfastClient client) {
    String prefix = selector.prefix;
    String key = selector.key == null ? "" : selector.key;
    if (prefix != null) {
      return from == 0 ? client.watchPrefix(prefix, this) : client.watchPrefix(prefix, from, this);
    }
    return from == 0 ? client.watch(key, this) : client.watch(key, from, this);
  }

  private void awaitCreated(LockWatch watch) throws InterruptedException {
    var unused =
        get(
            watch
                .created()
                .toCompletableFuture()
                .orTimeout(CREATED_WITHIN.toSeconds(), TimeUnit.SECONDS));
  }

  private static <T> T get(CompletableFuture<T> stage) throws InterruptedException {
    try {
      return stage.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof HoldfastException known) {
        throw known;
      } else if (e.getCause() instanceof TimeoutException) {
        throw new NoAnswer("no node watches within [" + CREATED_WITHIN.toSeconds() + " s]");
      }
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void changed(LockChange change) {
    if (ended.isDone()) {
      return;
    }
    head();
    output.show(
        Fields.of("revision", change.revision())
            .and("key", change.key())
            .and("cause", change.cause().name())
            .and("fencingTokens", change.holders().stream().map(h -> h.fencingToken()).toList())
            .and("clientIds", change.holders().stream().map(h -> h.clientId()).toList())
            .andIf(!change.forceReason().isEmpty(), "forceReason", change.forceReason()),
        Shown.text(
            ROW.formatted(change.revision(), change.cause(), tokens(change), change.key())
                + (change.forceReason().isEmpty() ? "" : "  (" + change.forceReason() + ")")));
    told++;
    if (told == count) {
      ended.complete(ExitCode.OK.number());
    }
  }

  private static String tokens(LockChange change) {
    return change.isFree()
        ? "free"
        : change.holders().stream()
            .map(LockStatus.Holder::fencingToken)
            .map(String::valueOf)
            .collect(Collectors.joining(","));
  }

  @Override
  public void ended(HoldfastException why) {
    ended.completeExceptionally(why);
  }
}
