package holdfast.cli;

import holdfast.client.ClientBuilder;
import holdfast.client.HoldfastClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Where to connect: the options that all commands have. */
final class Connection {

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  @Option(
      names = "--endpoint",
      paramLabel = "HOST:PORT",
      split = ",",
      defaultValue = "${env:HOLDFAST_ENDPOINT:-127.0.0.1:7400}",
      description =
          "Nodes, any of them, with commas between. Default: HOLDFAST_ENDPOINT, or else"
              + " 127.0.0.1:7400.")
  private List<String> endpoints = new ArrayList<>();

  HoldfastClient open() {
    ClientBuilder builder = HoldfastClient.builder().answerWithin(ANSWER_WITHIN);
    endpoints.forEach(builder::endpoint);
    return builder.connect();
  }
}
