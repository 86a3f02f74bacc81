package im.zonda.app.command;

import im.zonda.app.database.CopyOutput;
import im.zonda.app.database.DatabaseText;
import im.zonda.app.settings.TargetDatabase;
import im.zonda.app.users.PasswordInput;
import im.zonda.config.ServerConfig;
import im.zonda.config.Storage;
import im.zonda.storage.sql.DatabaseMaintenance;
import im.zonda.storage.sql.DatabaseMaintenance.Upgrade;
import im.zonda.storage.sql.copy.DatabaseCopy;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `zonda database`.
@Command(
    name = "database",
    description = "Show, upgrade or copy the database.",
    footer = {
      "",
      "Examples:",
      "  zonda database status",
      "  zonda database copy --to postgresql://localhost/zonda --to-user zonda"
    },
    synopsisSubcommandLabel = "COMMAND")
final class DatabaseCommand implements Runnable {
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  DatabaseCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required command");
  }

  /// `zonda database status`.
  @Command(
      name = "status",
      description = "Print what the database has, also while the server runs.")
  int status(
      @Mixin ConfigOptions options,
      @Option(names = "--json", description = "Print JSON.") boolean json)
      throws Exception {
    ServerConfig config = options.read().config();
    DatabaseText text =
        new DatabaseText(
            new DatabaseMaintenance(config.data(), config.storage()).status(),
            options.isServerRunning(config));
    print(json ? text.json() : text.lines());
    return 0;
  }

  /// `zonda database migrate`.
  @Command(
      name = "migrate",
      description =
          "Upgrade the schema of the database to this version. The server must be stopped; it"
              + " would do the same at its next start.")
  int migrate(@Mixin ConfigOptions options) throws Exception {
    PrintWriter err = spec.commandLine().getErr();
    Upgrade upgrade =
        options.withDatabase(
            options.read().config(),
            database ->
                database.migrate(
                    (from, to) -> err.println("upgrading schema " + from + " to " + to)));
    print(DatabaseText.of(upgrade) + "\n");
    return 0;
  }

  /// `zonda database copy`.
  @Command(
      name = "copy",
      description =
          "Copy everything to another database, which must be empty. The server must be stopped.",
      footer = {
        "",
        "A copy that was interrupted is continued by the same command. In the end the rows of both"
            + " databases are compared, and the lines of the configuration are printed that make"
            + " the server use the copy. The database that is copied stays as it is."
      })
  int copy(@Mixin ConfigOptions options, @Mixin TargetOptions to) throws Exception {
    ServerConfig config = options.read().config();
    TargetDatabase target = to.target(System.getenv());
    Storage storage = target.in(config.storage());
    CopyOutput output =
        new CopyOutput(
            spec.commandLine().getErr(), PasswordInput.terminal() != null, InstantSource.system());
    DatabaseCopy.Result result;
    try {
      result = options.withDatabase(config, database -> database.copyTo(storage, output));
    } finally {
      output.end();
    }
    print(
        String.format(
            Locale.ROOT, "copied %,d rows to %s and compared them%n", result.rows(), target.url()));
    if (config.storage().fullText()) {
      print("the words of full-text search are indexed again while the server runs\n");
    }
    print(
        "to use the copy, set in "
            + (options.file() == null ? "zonda.toml" : options.file())
            + (target.user() == null ? " (and remove storage.user, password, tls and tls-ca)" : "")
            + ":\n\n"
            + target.toToml());
    return 0;
  }

  private void print(String text) {
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
  }
}
