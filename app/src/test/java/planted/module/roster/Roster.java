package planted.module.roster;

/// Is known to presence.
public final class Roster {
  private Roster() {}

  /// Does nothing.
  public static void run() {}
}
