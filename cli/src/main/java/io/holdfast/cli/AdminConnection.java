package io.holdfast.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The connection of operators' commands: to the port for administration. */
final class AdminConnection extends ConnectionOptions {

  static final String OPTION = "--admin-endpoint";

  @Option(
      names = OPTION,
      paramLabel = "HOST:PORT",
      split = ",",
      defaultValue = "${env:HOLDFAST_ADMIN_ENDPOINT:-127.0.0.1:7405}",
      description =
          "Where nodes take administration, with commas between: all that can be reached from here."
              + " Default: HOLDFAST_ADMIN_ENDPOINT, or else 127.0.0.1:7405.")
  private List<String> endpoints = new ArrayList<>();

  @Override
  List<String> endpoints() {
    return endpoints;
  }
}
