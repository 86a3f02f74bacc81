package im.zonda.provider.program;

import im.zonda.config.accounts.ProgramAccounts;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// The program of a provider.
///
/// @param provider the name of the provider, for the log
/// @param command the program and its arguments
/// @param environment all variables that it has
/// @param nanos a clock such as [System#nanoTime]
record Program(
    String provider, List<String> command, Map<String, String> environment, LongSupplier nanos) {
  static Program of(String provider, ProgramAccounts settings, LongSupplier nanos) {
    Map<String, String> environment = new HashMap<>();
    for (String variable : settings.environment()) {
      int equals = variable.indexOf('=');
      environment.put(variable.substring(0, equals), variable.substring(equals + 1));
    }
    return new Program(provider, settings.command(), environment, nanos);
  }

  /// Starts a process.
  ///
  /// @throws IOException if there is no such program or it may not be executed
  RunningProgram start() throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(environment);
    return new RunningProgram(this, builder.start());
  }

  /// Without the environment.
  @Override
  public String toString() {
    return "Program[" + command + "]";
  }
}
