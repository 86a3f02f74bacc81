package im.zonda.app.backup;

import im.zonda.app.backup.BackupPlan.ServerData;
import im.zonda.app.settings.HostFiles;
import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.file.FileContents;
import im.zonda.file.folder.FolderContents;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.Account;
import im.zonda.store.UploadStore.Upload;
import im.zonda.testkit.FakeClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The data of a stopped server with two accounts and two uploaded files.
///
/// @param folder has everything of it
record SampleServer(Path folder, FakeClock clock) {
  static final Jid ROMEO = Jid.of("romeo@a.example");
  private static final Jid JULIET = Jid.of("juliet@a.example");

  Path data() {
    return folder.resolve("data");
  }

  Path uploads() {
    return data().resolve("uploads");
  }

  Path target() {
    return folder.resolve("backups");
  }

  ServerData server() {
    return at(data());
  }

  static ServerData at(Path data) {
    return at(data, new Storage(true, true, 0, 512));
  }

  static ServerData at(Path data, Storage storage) {
    return new ServerData(data, storage, data.resolve("uploads"), data.resolve("acme"));
  }

  static SqlStores open(Path data, FakeClock clock) {
    return SqlStores.open(data, new Storage(true, true, 0, 512), Limits.defaults(), clock);
  }

  BackupPlan plan(int keep) {
    return new BackupPlan(
        server(), folder.resolve("zonda.toml"), HostFiles.in(folder), target(), keep, clock);
  }

  /// Creates the data.
  SampleServer fill() throws IOException {
    Files.createDirectories(data().resolve("acme/challenges"));
    try (SqlStores stores = open(data(), clock)) {
      stores
          .accounts()
          .create(
              List.of(
                  new Account(ROMEO, List.of(), clock.instant()),
                  new Account(JULIET, List.of(), clock.instant())));
      upload(stores, "rose", "a rose by any other name");
      upload(stores, "sonnet", "shall I compare thee");
    }
    Files.write(data().resolve("secret"), new byte[32]);
    Files.writeString(data().resolve("self-signed.crt"), "a certificate");
    Files.writeString(data().resolve("self-signed.key"), "its key");
    Files.writeString(data().resolve("sessions"), "not of a backup");
    Files.writeString(data().resolve("acme/account.key"), "the key of an account");
    Files.writeString(data().resolve("acme/challenges/x"), "not of a backup");
    Files.writeString(folder.resolve("zonda.toml"), "hosts = [\"a.example\"]\n");
    Files.createDirectories(folder.resolve("hosts.d"));
    Files.writeString(folder.resolve("hosts.d/b.example.toml"), "");
    return this;
  }

  /// Adds a file of an account; returns the hash of its content.
  String upload(SqlStores stores, String slot, String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    String hash;
    try (FileContents.Incoming incoming =
        new FolderContents(uploads(), clock).begin(content.length)) {
      incoming.append(content, 0, content.length);
      hash = incoming.finish();
    }
    Upload added =
        new Upload(slot, ROMEO, "f", "text/plain", content.length, hash, clock.instant(), null);
    if (!stores.uploads().add(added)) {
      throw new IllegalStateException("the slot is taken");
    }
    return hash;
  }
}
