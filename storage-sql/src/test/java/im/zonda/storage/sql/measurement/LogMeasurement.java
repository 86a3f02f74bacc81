package im.zonda.storage.sql.measurement;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// Measures what a message between two accounts costs as the log grows; run by hand, prints
/// figures. Arguments: a folder, how many accounts, how many messages, and how many per second
/// while it is measured. Fills the log as fast as it can and measures at each power of ten: at
/// once, while slices of the index are merged that the filling has left, and after that.
public final class LogMeasurement {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int SECONDS = 20;

  private final Random random = new Random(15);
  private final SqlStores stores;
  private final List<Jid> accounts;
  private final String body = "x".repeat(100);

  private LogMeasurement(SqlStores stores, int accounts) {
    this.stores = stores;
    this.accounts =
        IntStream.range(0, accounts)
            .mapToObj(i -> Jid.of("user" + i, "example.org", null))
            .toList();
  }

  public static void main(String[] arguments) {
    long messages = Long.parseLong(arguments[2]);
    int rate = Integer.parseInt(arguments[3]);
    try (SqlStores stores =
        SqlStores.open(
            Path.of(arguments[0]),
            new Storage(true, true, 5, 512),
            Limits.defaults(),
            InstantSource.system())) {
      LogMeasurement measurement = new LogMeasurement(stores, Integer.parseInt(arguments[1]));
      stores.accounts().create(measurement.accounts.stream().map(StoresContract::account).toList());
      measurement.appendAt(rate, SECONDS * 2); // warm up
      long done = 0;
      for (long next = 100_000; next <= messages; next *= 10) {
        long start = writerCpu();
        measurement.fill(next - done);
        print("to " + next, (writerCpu() - start) / 1e3 / (next - done));
        measurement.report("at " + next + ", at once", rate);
        start = writerCpu();
        awaitQuiet();
        print("to " + next + ", merged later", (writerCpu() - start) / 1e3 / (next - done));
        done = next;
        measurement.report("at " + next + ", merged", rate);
      }
    }
  }

  private void report(String what, int rate) {
    long start = writerCpu();
    long commits = stores.health().counters().commits();
    appendAt(rate, SECONDS);
    print(what, (writerCpu() - start) / 1e3 / (rate * SECONDS));
    long done = stores.health().counters().commits() - commits;
    print(what + ", commits/s", (double) done / SECONDS);
  }

  private void fill(long messages) {
    for (long i = 0; i < messages; i++) {
      while (stores.messages().congested()) {
        LockSupport.parkNanos(1_000_000);
      }
      append();
    }
    stores.messages().flush();
  }

  /// Waits until the work in the background is done.
  private static void awaitQuiet() {
    long before = 0;
    for (long now = writerCpu(); now - before > 2_000_000; now = writerCpu()) {
      before = now;
      LockSupport.parkNanos(1_000_000_000);
    }
  }

  /// Appends at a rate, in steps of a millisecond.
  private void appendAt(int rate, int seconds) {
    long start = System.nanoTime();
    for (int step = 0; step < seconds * 1_000; step++) {
      long due = start + step * 1_000_000L;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      for (int i = 0; i < rate / 1_000; i++) {
        append();
      }
    }
    stores.messages().flush();
  }

  private void append() {
    Jid from = accounts.get(random.nextInt(accounts.size()));
    Jid to = accounts.get(random.nextInt(accounts.size()));
    Jid session = from.withResource("phone");
    long id = stores.messages().nextId();
    var message = StoresContract.message(session, to, body);
    if (from.equals(to)) {
      stores.messages().append(new Entry(to, id, session, message), Keep.ARCHIVE, true).delivered();
    } else {
      stores
          .messages()
          .append(
              new Entry(to, id, session, message),
              Keep.ARCHIVE,
              true,
              new Entry(from, id, to, message))
          .delivered();
    }
  }

  private static long writerCpu() {
    return Arrays.stream(THREADS.getAllThreadIds())
        .filter(id -> THREADS.getThreadInfo(id) != null)
        .filter(id -> THREADS.getThreadInfo(id).getThreadName().equals("zonda-store-writer"))
        .map(THREADS::getThreadCpuTime)
        .findFirst()
        .orElseThrow();
  }

  @SuppressWarnings("SystemOut")
  private static void print(String what, double figure) {
    System.out.printf("%-40s %.2f%n", what, figure);
  }
}
