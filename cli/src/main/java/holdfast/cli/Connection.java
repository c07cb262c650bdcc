package holdfast.cli;

import holdfast.client.HoldfastClient;
import picocli.CommandLine.Option;

/** Where to connect: the options that all commands have. */
final class Connection {

  @Option(
      names = "--endpoint",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:HOLDFAST_ENDPOINT:-127.0.0.1:7400}",
      description = "A node, any of them. Default: HOLDFAST_ENDPOINT, or else 127.0.0.1:7400.")
  private String endpoint = "";

  HoldfastClient open() {
    return HoldfastClient.connect(endpoint);
  }
}
