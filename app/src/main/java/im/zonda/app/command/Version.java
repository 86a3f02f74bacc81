package im.zonda.app.command;

/// The version of this build.
public final class Version {
  private Version() {}

  /// As the jar says; `development` outside of a jar.
  public static String current() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
