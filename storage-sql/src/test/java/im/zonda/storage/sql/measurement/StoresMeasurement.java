package im.zonda.storage.sql.measurement;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.log.StoreHealth;
import im.zonda.store.Account;
import im.zonda.store.MessageLog;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import im.zonda.store.Subscription;
import im.zonda.xml.Element;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/// Measures the stores; run by hand, prints figures. Arguments: a folder, and how many accounts.
public final class StoresMeasurement {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private final Path folder;
  private final int accounts;
  private final Random random = new Random(7);
  private final Storage settings = new Storage(true, true, 2, 512);

  private StoresMeasurement(Path folder, int accounts) {
    this.folder = folder;
    this.accounts = accounts;
  }

  public static void main(String[] arguments) throws Exception {
    new StoresMeasurement(Path.of(arguments[0]), Integer.parseInt(arguments[1])).run();
  }

  private void run() throws Exception {
    openings();
    SqlStores stores = open();
    try {
      List<Jid> jids = makeAccounts(stores);
      for (int i = 0; i < 4; i++) {
        saturate(stores, jids, 200_000);
      }
      trickle(stores, jids, 5_000, 2, false);
      trickle(stores, jids, 5_000, 4, false);
      trickle(stores, jids, 5_000, 4, true);
      trickle(stores, jids, 500, 3, false);
      logins(stores, jids);
      print("health", stores.health().toString());
    } finally {
      long start = System.nanoTime();
      stores.close();
      print("close", millis(start));
    }
  }

  private SqlStores open() {
    return SqlStores.open(folder, settings, Limits.defaults(), InstantSource.system());
  }

  private void openings() throws IOException {
    for (String kind : List.of("fresh, cold JVM", "existing", "existing", "existing")) {
      long start = System.nanoTime();
      try (SqlStores stores = open()) {
        print("open " + kind, millis(start));
        start = System.nanoTime();
        stores.accounts().find(Jid.of("nobody", "example.org", null));
        print("  first query", millis(start));
        start = System.nanoTime();
        stores.messages().flush();
        print("  first commit", millis(start));
      }
    }
    print("file", Files.size(folder.resolve("zonda.db")) + " bytes");
  }

  private List<Jid> makeAccounts(SqlStores stores) {
    List<Account> all = new ArrayList<>();
    byte[] key = new byte[32];
    for (int i = 0; i < accounts; i++) {
      List<ScramKeys> keys = new ArrayList<>();
      for (String hash : List.of("SHA-1", "SHA-256", "SHA-512")) {
        keys.add(new ScramKeys(hash, key, 10_000, key, key));
      }
      all.add(new Account(Jid.of("user" + i, "example.org", null), keys, Instant.EPOCH));
    }
    long start = System.nanoTime();
    stores.accounts().create(all);
    print("create " + accounts + " accounts", millis(start));
    return all.stream().map(Account::jid).toList();
  }

  private MessageLog.Entry entry(SqlStores stores, List<Jid> jids) {
    Jid owner = jids.get(random.nextInt(jids.size()));
    Jid peer = jids.get(random.nextInt(jids.size()));
    Message message =
        Message.of(
            Message.Type.CHAT,
            peer,
            owner,
            "m" + random.nextInt(),
            List.of(Element.builder(Namespaces.CLIENT, "body").text("x".repeat(180)).build()));
    return new MessageLog.Entry(owner, stores.messages().nextId(), peer, message);
  }

  private void saturate(SqlStores stores, List<Jid> jids, int rows) throws InterruptedException {
    List<MessageLog.Entry> entries = new ArrayList<>();
    for (int i = 0; i < 4_096; i++) {
      entries.add(entry(stores, jids));
    }
    StoreHealth.Counters before = stores.health().counters();
    long cpu = writerCpu();
    long caller = THREADS.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    Semaphore relief = new Semaphore(0);
    for (int i = 0; i < rows; i++) {
      MessageLog.Entry one = entries.get(i & 4_095);
      MessageLog.Entry fresh =
          new MessageLog.Entry(one.owner(), stores.messages().nextId(), one.with(), one.message());
      append(stores, fresh, false);
      if (stores.messages().congested()) {
        stores.messages().onRelief(relief::release);
        relief.acquire();
      }
    }
    stores.messages().flush();
    double wall = (System.nanoTime() - start) / 1e9;
    StoreHealth.Counters after = stores.health().counters();
    print(
        "saturated",
        String.format(
            "%.0f rows/s, writer %.2f us/row, caller %.2f us/row, %.0f rows a commit, max %s",
            rows / wall,
            (writerCpu() - cpu) / 1e3 / rows,
            (THREADS.getCurrentThreadCpuTime() - caller) / 1e3 / rows,
            (double) (after.entries() - before.entries()) / (after.commits() - before.commits()),
            after.maxCommit()));
  }

  private MessageLog.Receipt append(SqlStores stores, MessageLog.Entry entry, boolean waiting) {
    try {
      return stores.messages().append(entry, MessageLog.Keep.ARCHIVE, waiting);
    } catch (StoreException e) {
      throw new IllegalStateException(e);
    }
  }

  private void trickle(SqlStores stores, List<Jid> jids, int messages, int seconds, boolean late) {
    List<MessageLog.Receipt> receipts = new ArrayList<>();
    long[] worst = new long[1];
    long[] sum = new long[1];
    StoreHealth.Counters before = stores.health().counters();
    long cpu = writerCpu();
    long all = processCpu();
    long start = System.nanoTime();
    int total = messages * seconds;
    for (int i = 0; i < total; i++) {
      long due = start + i * 1_000_000_000L / messages;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      append(stores, entry(stores, jids), false);
      long sent = System.nanoTime();
      MessageLog.Receipt receipt = append(stores, entry(stores, jids), true);
      receipt.whenCommitted(() -> {
        long took = System.nanoTime() - sent;
        sum[0] += took;
        worst[0] = Math.max(worst[0], took);
      });
      if (late) {
        receipts.add(receipt);
        if (receipts.size() > 200) {
          receipts.removeFirst().delivered();
        }
      } else {
        receipt.delivered();
      }
    }
    stores.messages().flush();
    StoreHealth.Counters after = stores.health().counters();
    print(
        messages + " messages/s" + (late ? ", delivered after commit" : ""),
        String.format(
            "writer %.2f us/row, process %.2f us/row, %.1f rows a commit, mean commit %d us,"
                + " ack mean %d us, max %d us",
            (writerCpu() - cpu) / 1e3 / total / 2,
            (processCpu() - all) / 1e3 / total / 2,
            (double) (after.entries() - before.entries()) / (after.commits() - before.commits()),
            after.meanCommit().toNanos() / 1_000,
            sum[0] / total / 1_000,
            worst[0] / 1_000));
  }

  private void logins(SqlStores stores, List<Jid> jids) {
    for (Jid owner : jids.subList(0, 200)) {
      for (int i = 0; i < 20; i++) {
        stores
            .rosters()
            .put(
                owner,
                new RosterItem(
                    jids.get(300 + i),
                    "Friend " + i,
                    Subscription.BOTH,
                    false,
                    false,
                    List.of("Friends"),
                    null,
                    true));
      }
    }
    for (int round = 0; round < 5; round++) {
      each("account find", jids, jid -> stores.accounts().find(jid));
      each("roster of 20", jids, jid -> stores.rosters().load(jid));
      each("waiting(), none", jids, jid -> stores.messages().waiting(jid, 0, 100));
      each("value, none", jids, jid -> stores.keyValues("vcard").get(jid, "x"));
    }
  }

  private void each(String what, List<Jid> jids, java.util.function.Consumer<Jid> call) {
    long cpu = processCpu();
    long start = System.nanoTime();
    int count = 4_000;
    for (int i = 0; i < count; i++) {
      call.accept(jids.get(i % 200));
    }
    print(
        what,
        String.format(
            "%.1f us wall, %.1f us CPU",
            (System.nanoTime() - start) / 1e3 / count, (processCpu() - cpu) / 1e3 / count));
  }

  private static long processCpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long writerCpu() {
    for (long id : THREADS.getAllThreadIds()) {
      if (THREADS.getThreadInfo(id) != null
          && THREADS.getThreadInfo(id).getThreadName().equals("zonda-store-writer")) {
        return THREADS.getThreadCpuTime(id);
      }
    }
    throw new IllegalStateException("no writer");
  }

  private static String millis(long start) {
    return String.format("%.1f ms", (System.nanoTime() - start) / 1e6);
  }

  @SuppressWarnings("SystemOut")
  private static void print(String what, String figures) {
    System.out.printf("%-40s %s%n", what, figures);
  }
}
