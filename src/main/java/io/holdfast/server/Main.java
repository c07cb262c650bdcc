package io.holdfast.server;

import com.typesafe.config.Config;
import io.holdfast.config.ConfigurationFile;
import io.holdfast.config.HoldfastSettings;
import io.holdfast.config.member.InvalidSettings;
import java.security.SecureRandom;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a node as a process: starts it, says where it is, and ends with a code that tells why. */
public final class Main {

  static {
    PlainLogging.use(); // before the first logger
  }

  private static final Logger log = LoggerFactory.getLogger("holdfast");

  private Main() {}

  public static void main(String[] args) {
    // On two cores JDK 17 gives the common pool one thread, and then starts one for every step.
    String parallelism = "java.util.concurrent.ForkJoinPool.common.parallelism";
    if (System.getProperty(parallelism) == null) {
      System.setProperty(parallelism, "2");
    }
    try {
      Arguments arguments = Arguments.parse(List.of(args), System.getenv());
      if (arguments.help()) {
        say(Arguments.HELP.strip());
      } else if (arguments.version()) {
        say("holdfast " + Version.current());
      } else {
        run(arguments);
      }
    } catch (StartFailure failure) {
      failure.faults().forEach(fault -> complain("holdfast: " + fault));
      System.exit(failure.exitCode().number());
    }
  }

  private static void run(Arguments arguments) throws StartFailure {
    Config config;
    HoldfastSettings settings;
    try {
      config = ConfigurationFile.load(arguments.configuration());
      settings = HoldfastSettings.from(config);
    } catch (InvalidSettings e) {
      throw new StartFailure(NodeExitCode.CONFIGURATION, e.faults());
    }
    Stop stop = new Stop(Watchdog.ready(Watchdog.PATIENCE, () -> endAtOnce(NodeExitCode.STUCK)));
    Runtime.getRuntime().addShutdownHook(new Thread(stop, "stop"));
    try {
      HoldfastNode node =
          HoldfastNode.start(config, settings, new SecureRandom()::nextLong, Main::endAtOnce);
      Banner.lines(node, Exposure.of(settings), Version.current()).forEach(log::info);
      stop.started(node);
    } catch (StartFailure failure) {
      if (!stop.isAsked()) {
        throw failure;
      }
    }
  }

  /**
   * Ends the process without its hooks. If the node's log has failed, nothing can be written any
   * more, and whether the last of it was is for the next start to find out. The sooner the process
   * is gone, the sooner others take over.
   */
  private static void endAtOnce(NodeExitCode code) {
    Runtime.getRuntime().halt(code.number());
  }

  private static void say(String text) {
    System.out.println(text);
  }

  private static void complain(String text) {
    System.err.println(text);
  }
}
