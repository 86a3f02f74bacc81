package im.zonda.app;

import im.zonda.app.backup.command.BackupCommand;
import im.zonda.app.backup.command.RestoreCommand;
import im.zonda.app.command.Commands;
import im.zonda.app.command.ExitCode;
import im.zonda.app.command.PlainStart;
import im.zonda.app.command.Program;
import im.zonda.app.doctor.command.DoctorCommand;
import im.zonda.app.invitations.CircleCommands;
import im.zonda.app.invitations.InviteCommands;
import im.zonda.app.operation.StandardOperations;
import im.zonda.app.operation.line.OperationCommands;
import im.zonda.app.operation.line.RecordCommand;
import im.zonda.app.operation.line.WhyCommand;
import im.zonda.app.plugin.command.PluginCommand;
import im.zonda.app.support.command.SupportCommand;
import im.zonda.app.top.TopCommand;
import im.zonda.app.transfer.command.ImportCommand;
import im.zonda.app.users.command.UserCommand;
import im.zonda.bench.command.BenchCommand;
import im.zonda.module.XmppModule;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine;

/// Entry point of the process. Does not use picocli, which `zonda start` runs without
/// ([PlainStart]).
///
/// Exit codes: 0 success, 1 failure, 2 wrong command line or configuration.
public final class Main {
  private Main() {}

  /// Runs a command.
  public static void main(String[] arguments) {
    System.exit(run(StandardModules::create, arguments));
  }

  /// Runs a command as the process does, with other modules at the hosts of a server.
  ///
  /// @param modules creates the modules of one host
  /// @return the exit code
  public static int run(Supplier<List<XmppModule>> modules, String... arguments) {
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    return run(program(modules), out, err, arguments);
  }

  /// Runs a command. An error, such as a class that is missing, ends the process too: threads of a
  /// server that has started halfway would otherwise keep it.
  ///
  /// @return the exit code
  static int run(Program program, PrintWriter out, PrintWriter err, String... arguments) {
    try {
      PlainStart plain = PlainStart.of(program, arguments);
      return plain == null
          ? Commands.of(program, out, err).execute(arguments)
          : start(program, plain, out, err);
    } catch (Error e) {
      err.println("zonda: internal error: " + e);
      e.printStackTrace(err);
      return 1;
    }
  }

  /// The parts of the program that commands start and open.
  public static Program program() {
    return program(StandardModules::create);
  }

  private static Program program(Supplier<List<XmppModule>> modules) {
    return new Program(
        (options, exitWhenReady, out) -> Start.run(modules, options, exitWhenReady, out),
        EdgeStart::run,
        ServerStores::open,
        StoppedServer::open,
        Wiring::openCheck,
        StandardModules.optional(),
        List.of(
            UserCommand.class,
            InviteCommands.class,
            CircleCommands.class,
            ImportCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            DoctorCommand.class,
            SupportCommand.class,
            TopCommand.class,
            RecordCommand.class,
            WhyCommand.class,
            PluginCommand.class),
        new AllOperations());
  }

  private static int start(Program program, PlainStart plain, PrintWriter out, PrintWriter err) {
    try {
      return program.server().run(plain.options(), plain.exitWhenReady(), out);
    } catch (Exception e) {
      err.println(ExitCode.describe(e));
      return ExitCode.of(e);
    }
  }

  /// A class and no lambda, which would load picocli when the server starts.
  private static final class AllOperations implements Consumer<CommandLine> {
    @Override
    public void accept(CommandLine commands) {
      OperationCommands.addTo(commands, StandardOperations.ALL);
      BenchCommand.addTo(commands);
    }
  }
}
