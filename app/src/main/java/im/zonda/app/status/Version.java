package im.zonda.app.status;

/// The version of this build.
public final class Version {
  private Version() {}

  /// The version in the manifest of the jar; `development` without a jar.
  public static String current() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
