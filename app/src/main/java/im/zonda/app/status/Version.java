package im.zonda.app.status;

/// The version of this build.
public final class Version {
  private Version() {}

  /// The version in the manifest of the jar; `development` without a jar.
  public static String current() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /// The version, with the commit of the sources if the launcher names it by the system property
  /// `zonda.commit`.
  public static String withCommit() {
    String commit = System.getProperty("zonda.commit", "");
    return commit.isEmpty() ? current() : current() + " (commit " + commit + ")";
  }
}
