package io.holdfast.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The connection of commands about locks and leases: to the clients' port. */
final class LockConnection extends ConnectionOptions {

  @Option(
      names = "--endpoint",
      paramLabel = "HOST:PORT",
      split = ",",
      defaultValue = "${env:HOLDFAST_ENDPOINT:-127.0.0.1:7400}",
      description =
          "Nodes, any of them, with commas between. Default: HOLDFAST_ENDPOINT, or else"
              + " 127.0.0.1:7400.")
  private List<String> endpoints = new ArrayList<>();

  @Override
  List<String> endpoints() {
    return endpoints;
  }
}
