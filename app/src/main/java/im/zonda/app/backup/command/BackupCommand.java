package im.zonda.app.backup.command;

import im.zonda.app.backup.Backup;
import im.zonda.app.backup.BackupPlan;
import im.zonda.app.backup.BackupPlan.ServerData;
import im.zonda.app.backup.Manifest;
import im.zonda.app.backup.Verification;
import im.zonda.app.command.ConfigOptions;
import im.zonda.app.users.PasswordInput;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda backup`.
@Command(
    name = "backup",
    description = {
      "Write a backup of the server's data, also while the server runs, or verify one.",
      "It has the database, the uploaded files, the server's secret and certificates, and the"
          + " configuration."
    },
    footer = {
      "",
      "Examples:",
      "  zonda backup /var/backups/zonda --keep 7",
      "  zonda backup --verify /var/backups/zonda/zonda-2026-11-28T0200Z"
    })
public final class BackupCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOptions options;

  @Parameters(
      paramLabel = "FOLDER",
      description =
          "Folder in which the backup is written, beside others; with --verify, a backup.")
  private Path folder;

  @ArgGroup private Mode mode = new Mode();

  /// A backup is either written or verified.
  static final class Mode {
    @Option(
        names = "--keep",
        paramLabel = "NUMBER",
        description =
            "Remove the oldest backups in the folder, so that this many stay (default: all). The"
                + " newest one that was verified stays in any case.")
    private int keep;

    @Option(names = "--verify", description = "Verify a backup.")
    private boolean verify;
  }

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  public BackupCommand() {}

  @Override
  public Integer call() throws Exception {
    return mode.verify ? verify() : write();
  }

  static BackupOutput output(CommandSpec spec) {
    return new BackupOutput(
        spec.commandLine().getErr(), PasswordInput.terminal() != null, InstantSource.system());
  }

  private int write() throws Exception {
    BackupPlan plan =
        new BackupPlan(
            ServerData.of(options.read().config()),
            options.file(),
            options.hostFiles(),
            folder,
            mode.keep,
            InstantSource.system());
    Backup.Result result;
    try (BackupOutput output = output(spec)) {
      result = Backup.write(plan, output);
    }
    PrintWriter out = spec.commandLine().getOut();
    result.removed().forEach(each -> out.println("removed " + each));
    long missing = result.manifest().uploads().missing();
    if (missing > 0) {
      out.println(missing + " uploaded files are not in the folder " + plan.server().uploads());
    }
    out.println("wrote " + result.folder() + ": " + result.manifest().summary());
    return 0;
  }

  private int verify() throws IOException {
    Verification found;
    try (BackupOutput output = output(spec)) {
      found = Backup.verify(folder.toAbsolutePath().normalize(), InstantSource.system(), output);
    }
    Manifest manifest = found.manifest();
    if (!found.isWhole() || manifest == null) {
      throw new IOException(folder + " is not whole: " + String.join("; ", found.problems()));
    }
    spec.commandLine()
        .getOut()
        .println(folder + " is whole, of " + manifest.time() + ": " + manifest.summary());
    return 0;
  }
}
