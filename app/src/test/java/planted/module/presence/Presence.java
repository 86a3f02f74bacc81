package planted.module.presence;

import planted.module.roster.Roster;

/// Knows another module, as is allowed.
final class Presence {
  private Presence() {}

  static void run() {
    Roster.run();
  }
}
