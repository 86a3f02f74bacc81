package im.zonda.app.soak;

import im.zonda.app.StandardModules;
import im.zonda.testkit.load.RoomsInMemory;
import java.io.IOException;

/// The load of people in rooms against a whole server in the same process; started by
/// `bench/load.sh`.
final class RoomsInProcess {
  private RoomsInProcess() {}

  /// Makes the load that the arguments ask for and prints what came of it.
  public static void main(String[] args) throws IOException {
    try {
      RoomsInMemory.run(StandardModules::create, System.out, args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }
}
