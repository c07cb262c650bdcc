package io.holdfast.server;

/** The version of this build, as its jar says. */
final class Version {

  private Version() {}

  static String current() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "from source" : version;
  }
}
