package im.zonda.app.backup.command;

import im.zonda.app.backup.Backup;
import im.zonda.app.backup.BackupPlan.ServerData;
import im.zonda.app.backup.Manifest;
import im.zonda.app.backup.Restore;
import im.zonda.app.command.ConfigOptions;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda restore`.
@Command(
    name = "restore",
    description = {
      "Restore a backup into an empty data folder and, if the configuration names a database server,"
          + " an empty database.",
      "The server must be stopped. The backup is verified first, and the configuration stays as it"
          + " is."
    },
    footer = {
      "",
      "Examples:",
      "  zonda restore /var/backups/zonda/zonda-2026-11-28T0200Z",
      "  zonda restore /var/backups/zonda/zonda-2026-11-28T0200Z --config-to restored"
    })
public final class RestoreCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOptions options;

  @Parameters(paramLabel = "FOLDER", description = "The backup.")
  private Path folder;

  @Option(
      names = "--config-to",
      paramLabel = "FOLDER",
      description = "Write the configuration of the backup into this folder, which must be empty.")
  private @Nullable Path configuration;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  public RestoreCommand() {}

  @Override
  public Integer call() throws Exception {
    ServerData server = ServerData.of(options.read().config());
    Path backup = folder.toAbsolutePath().normalize();
    Path target = configuration == null ? null : configuration.toAbsolutePath().normalize();
    Manifest manifest;
    try (BackupOutput output = BackupCommand.output(spec)) {
      manifest = Restore.into(server, backup, target, output);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("restored the backup of " + manifest.time() + ": " + manifest.summary());
    out.println("data folder " + server.data() + ", database " + server.storage());
    Path config = backup.resolve(Backup.CONFIG);
    if (target != null) {
      out.println("the configuration of the backup was written to " + target);
    } else if (Files.isDirectory(config)) {
      out.println("the configuration of the backup is in " + config);
    }
    return 0;
  }
}
