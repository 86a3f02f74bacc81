package im.zonda.app;

import im.zonda.app.command.Commands;
import im.zonda.app.command.ExitCode;
import im.zonda.app.command.PlainStart;
import im.zonda.app.command.Program;
import java.io.PrintWriter;

/// Entry point of the process. Does not use picocli, which `zonda start` runs without
/// ([PlainStart]).
///
/// Exit codes: 0 success, 1 failure, 2 wrong command line or configuration.
public final class Main {
  private Main() {}

  /// Runs a command.
  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    Program program = program();
    PlainStart plain = PlainStart.of(program, arguments);
    System.exit(
        plain == null ? Commands.of(program, out, err).execute(arguments) : start(plain, out, err));
  }

  static Program program() {
    return new Program(
        Start::run,
        EdgeStart::run,
        Wiring::openStores,
        Wiring::openCheck,
        StandardModules.optional());
  }

  private static int start(PlainStart plain, PrintWriter out, PrintWriter err) {
    try {
      return Start.run(plain.options(), plain.exitWhenReady(), out);
    } catch (Exception e) {
      err.println(ExitCode.describe(e));
      return ExitCode.of(e);
    }
  }
}
