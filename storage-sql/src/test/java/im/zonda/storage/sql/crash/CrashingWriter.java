package im.zonda.storage.sql.crash;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.MessageLog.Receipt;
import im.zonda.store.StoreException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

/// The process that [CrashTest] kills: appends in a loop and reports what is committed.
public final class CrashingWriter {
  static final int OWNERS = 6;

  private CrashingWriter() {}

  static Jid owner(int number) {
    return Jid.of("user" + number + "@example.net");
  }

  /// Runs until it is killed. Arguments: the data folder, and the round.
  public static void main(String[] arguments) throws Exception {
    int round = Integer.parseInt(arguments[1]);
    PrintStream out = System.out;
    try (SqlStores stores =
        SqlStores.open(
            Path.of(arguments[0]),
            new Storage(true, true, 1, 64),
            Limits.defaults(),
            InstantSource.system())) {
      stores
          .accounts()
          .create(
              IntStream.range(0, OWNERS).mapToObj(i -> StoresContract.account(owner(i))).toList());
      for (int i = 1; i < OWNERS; i++) {
        int number = i;
        Thread.startVirtualThread(() -> append(stores, number, round, out));
      }
      Thread.startVirtualThread(() -> reportFullDisk(stores, out));
      append(stores, 0, round, out);
    }
  }

  private static void reportFullDisk(SqlStores stores, PrintStream out) {
    while (true) {
      try {
        stores.messages().flush();
      } catch (StoreException e) {
        if (e.category() == StoreException.Category.FULL) {
          out.println("full");
        }
      }
    }
  }

  private static void append(SqlStores stores, int number, int round, PrintStream out) {
    Random random = new Random(round * 100L + number);
    Semaphore window = new Semaphore(100);
    for (int i = 0; ; i++) {
      window.acquireUninterruptibly();
      String body = round + "/" + number + "/" + i;
      long id = stores.messages().nextId();
      Jid owner = owner(number);
      MessageLog.Entry entry =
          new MessageLog.Entry(owner, id, owner(0), StoresContract.message(owner(0), owner, body));
      Keep keep = random.nextBoolean() ? Keep.ARCHIVE : Keep.UNTIL_DELIVERED;
      Receipt receipt = stores.messages().append(entry, keep, true);
      boolean deliver = random.nextInt(4) == 0;
      receipt.whenCommitted(() -> {
        out.println("committed " + body + " " + id + " .");
        if (deliver) {
          out.println("delivered " + body + " " + id + " .");
          receipt.delivered();
        }
        window.release();
      });
    }
  }
}
