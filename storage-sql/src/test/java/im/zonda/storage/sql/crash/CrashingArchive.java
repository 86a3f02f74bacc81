package im.zonda.storage.sql.crash;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/// The process that [im.zonda.storage.sql.archive.ArchiveCatchUpTest] kills: fills an archive and
/// reports each 5,000 entries.
public final class CrashingArchive {
  private CrashingArchive() {}

  /// Runs until it is killed. Argument: the data folder.
  public static void main(String[] arguments) {
    Jid juliet = Jid.of("juliet@example.net");
    List<Jid> owners = List.of(Jid.of("romeo@example.net"), juliet);
    try (SqlStores stores =
        SqlStores.open(
            Path.of(arguments[0]),
            new Storage(true, true, 0, 512, true),
            Limits.defaults(),
            InstantSource.system())) {
      stores.accounts().create(owners.stream().map(StoresContract::account).toList());
      for (int i = 1; ; i++) {
        Jid owner = owners.get(i % 2);
        stores
            .messages()
            .append(
                new MessageLog.Entry(
                    owner,
                    stores.messages().nextId(),
                    juliet,
                    StoresContract.message(juliet, owner, "hail")),
                Keep.ARCHIVE,
                false);
        if (i % 5_000 == 0) {
          stores.messages().flush();
          System.out.println(i);
        }
      }
    }
  }
}
