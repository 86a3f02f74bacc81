package im.zonda.app.transfer.command;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.destination.ImportReport;
import im.zonda.app.transfer.destination.ImportRun;
import im.zonda.app.transfer.destination.ImportTarget;
import im.zonda.app.transfer.destination.Kind;
import im.zonda.app.transfer.destination.ReportText;
import im.zonda.app.users.PasswordInput;
import im.zonda.config.ServerConfig;
import im.zonda.store.Stores;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda import`.
@Command(
    name = "import",
    description = {
      "Take accounts and rooms from another server: passwords, contacts, vCards, messages. The"
          + " server must be stopped.",
      "The same command continues an import that was interrupted; nothing is taken twice."
    },
    footer = {
      "",
      "People log in with their old passwords, also where only keys of them are known.",
      "",
      "Examples:",
      "  zonda import export.xml --dry-run",
      "  zonda import /var/lib/prosody",
      "  zonda import ejabberd.dump (written by: ejabberdctl dump FILE)",
      "  zonda import postgresql://localhost/prosody --user prosody"
    })
public final class ImportCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Mixin private ConfigOptions options;
  @Mixin private DatabaseLogin login;
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "SOURCE",
      description =
          "File or folder of the other server's data, or its database: an SQLite file,"
              + " postgresql://HOST/DATABASE or mariadb://HOST/DATABASE.")
  private String source;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "Format of the source (default: it is recognised): xep-0227, prosody,"
              + " ejabberd, mongooseim, openfire.")
  private @Nullable String format;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description =
          "Host of a source that does not name it (default: the only host of this server).")
  private @Nullable String host;

  @Option(
      names = "--dry-run",
      description = "Write nothing; print what would be taken, what would be left out, and why.")
  private boolean dryRun;

  @Option(
      names = "--restart",
      description =
          "Begin again instead of continuing an earlier import; accounts that exist are left"
              + " unchanged.")
  private boolean restart;

  @Option(names = "--json", description = "Print the report as JSON.")
  private boolean json;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  public ImportCommand() {}

  @Override
  public Integer call() throws Exception {
    ServerConfig config = options.read().config();
    InstantSource clock = InstantSource.system();
    PrintWriter err = spec.commandLine().getErr();
    try (ImportSource opened =
        SourceFormat.open(
            new SourceFormat.Place(source, config.data(), login, host(config)),
            format == null ? null : SourceFormat.ofWord(format),
            clock)) {
      ImportReport report = new ImportReport();
      try {
        run(config, opened, report, clock, err);
      } finally {
        ReportText text = new ReportText(opened.name(), dryRun, report);
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? text.json() : text.lines());
        out.flush();
      }
      return report.taken(Kind.ACCOUNTS) == 0 && report.doneBefore() == 0 && report.omitted() > 0
          ? FAILED
          : 0;
    }
  }

  private @Nullable String host(ServerConfig config) {
    return host != null ? host : config.hosts().size() == 1 ? config.hosts().getFirst() : null;
  }

  private void run(
      ServerConfig config,
      ImportSource opened,
      ImportReport report,
      InstantSource clock,
      PrintWriter err)
      throws IOException {
    if (!Files.isDirectory(config.data())) {
      if (dryRun) {
        run(null, config, opened, report, clock);
        return;
      }
      err.println("zonda: creating the data folder " + config.data());
    }
    try {
      boolean _ =
          options.withStores(
              config,
              stores -> {
                try {
                  run(stores, config, opened, report, clock);
                  return true;
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    } catch (UncheckedIOException e) {
      IOException cause = e.getCause();
      throw cause == null ? new IOException(e) : cause;
    }
  }

  private void run(
      @Nullable Stores stores,
      ServerConfig config,
      ImportSource opened,
      ImportReport report,
      InstantSource clock)
      throws IOException {
    ImportTarget target = new ImportTarget(stores, config, clock, new SecureRandom(), dryRun);
    if (restart && !dryRun) {
      boolean _ = ImportRun.forget(target, opened);
    }
    ImportOutput output =
        new ImportOutput(spec.commandLine().getErr(), PasswordInput.terminal() != null, clock);
    try {
      ImportRun.run(opened, target, report, output);
    } finally {
      output.end();
    }
  }
}
