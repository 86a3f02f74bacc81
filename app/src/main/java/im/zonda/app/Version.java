package im.zonda.app;

/// The version of this build.
final class Version {
  private Version() {}

  /// As the jar says; `development` outside of a jar.
  static String current() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
