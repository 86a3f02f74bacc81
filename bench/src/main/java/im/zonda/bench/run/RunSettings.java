package im.zonda.bench.run;

import java.nio.file.Path;
import java.util.List;

/// The settings of a run besides the options of its scenario.
///
/// @param processes how many processes make the load; 0 is as many as the limit of open files asks
///   for
/// @param password of all accounts
/// @param command the command line that repeats the run
/// @param out the folder of its files
public record RunSettings(int processes, String password, List<String> command, Path out) {
  /// The most sockets of a process.
  public static final int MOST_SOCKETS = 19_000;

  private static final int OTHER_FILES = 1_000;

  /// The same with another folder.
  public RunSettings in(Path folder) {
    return new RunSettings(processes, password, command, folder);
  }

  /// How many processes make a load with `sockets` connections on this machine.
  public int processesFor(int sockets) {
    return processesFor(sockets, Machine.openFiles());
  }

  /// How many processes make a load with `sockets` connections.
  ///
  /// @param files how many files a process may open
  int processesFor(int sockets, long files) {
    long each = Math.max(1, Math.min(MOST_SOCKETS, files - OTHER_FILES));
    return processes > 0 ? processes : (int) Math.max(1, (sockets + each - 1) / each);
  }
}
