package planted.module.two;

/// Is known to another module.
public final class Two {
  private Two() {}

  /// Does nothing.
  public static void run() {}
}
