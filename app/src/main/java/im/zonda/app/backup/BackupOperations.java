package im.zonda.app.backup;

import im.zonda.app.backup.BackupPlan.ServerData;
import im.zonda.app.hosts.ConfigSource;
import im.zonda.config.ServerConfig;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.storage.sql.BackupListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Backups of the running server in the folder that the configuration names.
///
/// @param config the configuration at present
/// @param source where the configuration is read
/// @param clock the time
public record BackupOperations(
    Supplier<ServerConfig> config, ConfigSource source, InstantSource clock) {
  /// A backup.
  public record Row(
      @Field("its name") String name,
      @Field("when it was begun") Instant time,
      @Field(value = "its size", form = Form.BYTES) long bytes,
      @Field("accounts") long accounts,
      @Field("rooms") long rooms,
      @Field("messages") long messages,
      @Field("uploaded files") long files,
      @Field("when it was last verified without a problem") @Nullable Instant verified) {}

  /// The backups.
  public record Listed(
      @Field("the folder that they are in") String folder,
      @Field("the backups, the newest first") List<Row> backups) {}

  /// One of them.
  public record Chosen(@Field(value = "its name", max = 100) String name) {}

  /// `server.backup`.
  public static final Operation<Nothing, Nothing> WRITE =
      Operation.change("server.backup", Right.DATA)
          .ofNode()
          .at("POST /backups", "Write a backup of the server", Nothing.class, Nothing.class);

  /// `server.backups`.
  public static final Operation<Nothing, Listed> LIST =
      Operation.read("server.backups", Right.DATA)
          .ofNode()
          .at("GET /backups", "List the backups of the server", Nothing.class, Listed.class);

  /// `server.verify-backup`.
  public static final Operation<Chosen, Nothing> VERIFY =
      Operation.change("server.verify-backup", Right.DATA)
          .ofNode()
          .at("POST /backups/{name}/verify", "Verify a backup", Chosen.class, Nothing.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(WRITE, LIST, VERIFY);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        WRITE.by((call, _) -> write(call)), LIST.by((_, _) -> list()), VERIFY.by(this::verify));
  }

  /// The folder of the backups.
  static Path folder(ServerConfig config) {
    Path folder = config.backup().folder();
    return folder == null ? config.data().resolve("backups") : folder;
  }

  /// When the newest backup was begun; null if there is none.
  ///
  /// @throws IOException if the folder cannot be read
  public static @Nullable Instant newest(ServerConfig config) throws IOException {
    List<Backups.Found> all = Backups.list(folder(config));
    return all.isEmpty() ? null : all.getFirst().manifest().time();
  }

  private Outcome<Nothing> write(Call call) {
    ServerConfig current = config.get();
    BackupPlan plan =
        new BackupPlan(
            ServerData.of(current),
            source.file(),
            source.hostFiles(),
            folder(current),
            current.backup().keep(),
            clock);
    return call.start(
        "Write a backup",
        progress -> {
          Backup.Result result = Backup.write(plan, listener(progress));
          result.removed().forEach(each -> call.changed("backup", each.toString(), null));
          call.changed("backup", null, result.folder().toString());
          return "wrote " + result.folder() + ": " + result.manifest().summary();
        });
  }

  private static BackupListener listener(Call.Progress progress) {
    return (_, done, all, unit) -> progress.at(done, all, unit.name().toLowerCase(Locale.ROOT));
  }

  private Outcome<Listed> list() {
    Path folder = folder(config.get());
    try {
      return Outcome.done(
          new Listed(
              folder.toString(),
              Backups.list(folder).stream().map(BackupOperations::row).toList()));
    } catch (IOException e) {
      return Outcome.refused(
          Outcome.Reason.UNAVAILABLE, "The folder " + folder + " cannot be read.");
    }
  }

  private static Row row(Backups.Found found) {
    Manifest manifest = found.manifest();
    return new Row(
        String.valueOf(found.folder().getFileName()),
        manifest.time(),
        manifest.bytes(),
        manifest.counts().accounts(),
        manifest.counts().rooms(),
        manifest.counts().messages(),
        manifest.uploads().files(),
        found.verified());
  }

  private Outcome<Nothing> verify(Call call, Chosen chosen) {
    Backups.Found found = null;
    try {
      for (Backups.Found each : Backups.list(folder(config.get()))) {
        if (each.folder().endsWith(chosen.name())) {
          found = each;
        }
      }
    } catch (IOException e) {
      return Outcome.refused(Outcome.Reason.UNAVAILABLE, "The backups cannot be read.");
    }
    if (found == null) {
      return Outcome.notFound("There is no backup " + chosen.name() + ".");
    }
    Path backup = found.folder();
    return call.start(
        "Verify a backup",
        progress -> {
          Verification verification = Backup.verify(backup, clock, listener(progress));
          Manifest manifest = verification.manifest();
          if (!verification.isWhole() || manifest == null) {
            throw new IOException(
                backup + " is not whole: " + String.join("; ", verification.problems()));
          }
          return backup + " is whole: " + manifest.summary();
        });
  }
}
