package im.zonda.storage.sql.measurement;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.log.StoreHealth;
import im.zonda.store.Account;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.MessageLog.Receipt;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import im.zonda.xml.framing.XmlParser;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Measures what a durable message costs and when it is acknowledged; run by hand, prints figures.
///
/// One thread appends what a server appends for a message between two people who are there: the
/// receiver's entry, delivered at once, and the sender's copy. Arguments: a folder, the shortest
/// time between commits in ms, the most entries of one, the seconds of each run, then the rates in
/// messages a second (0 is as fast as it goes).
public final class CommitMeasurement {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int ACCOUNTS = 1_000;

  private final SqlStores stores;
  private final int seconds;
  private final List<Jid> jids = new ArrayList<>();
  private final Random random = new Random(7);

  private CommitMeasurement(SqlStores stores, int seconds) {
    this.stores = stores;
    this.seconds = seconds;
  }

  public static void main(String[] arguments) throws Exception {
    Storage settings =
        new Storage(true, true, Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
    try (SqlStores stores =
        SqlStores.open(
            Path.of(arguments[0]), settings, Limits.defaults(), InstantSource.system())) {
      CommitMeasurement measurement = new CommitMeasurement(stores, Integer.parseInt(arguments[3]));
      measurement.accounts();
      for (int i = 4; i < arguments.length; i++) {
        measurement.run(Integer.parseInt(arguments[i]));
      }
    }
  }

  private void accounts() {
    List<Account> all = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      jids.add(Jid.of("user" + i, "example.org", null));
      all.add(new Account(jids.getLast(), List.of(), Instant.EPOCH));
    }
    stores.accounts().create(all);
  }

  /// A time for each message: from its append to the commit of both its rows.
  private static final class Pending implements MessageLog.Ending {
    private final long start;
    private final long[] times;
    private final int number;
    private final AtomicInteger rows = new AtomicInteger(2);

    Pending(long start, long[] times, int number) {
      this.start = start;
      this.times = times;
      this.number = number;
    }

    @Override
    public void committed() {
      if (rows.decrementAndGet() == 0) {
        times[number] = System.nanoTime() - start;
      }
    }

    @Override
    public void failed(StoreException cause) {
      throw cause;
    }
  }

  private void run(int rate) throws Exception {
    int total = rate == 0 ? 1_000_000 : rate * seconds;
    long[] times = new long[total];
    StoreHealth.Counters before = stores.health().counters();
    long writer = cpuOf("zonda-store-writer");
    long own = THREADS.getCurrentThreadCpuTime();
    long process = cpuOfProcess();
    long start = System.nanoTime();
    for (int i = 0; i < total; i++) {
      if (rate > 0) {
        // As events of a loop come: a few at a time.
        long due = start + i * 1_000_000_000L / rate;
        while (System.nanoTime() < due) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
      } else if (stores.messages().congested()) {
        Thread waiting = Thread.currentThread();
        stores.messages().onRelief(() -> LockSupport.unpark(waiting));
        while (stores.messages().congested()) {
          LockSupport.park();
        }
      }
      append(times, i);
    }
    stores.messages().flush();
    double wall = (System.nanoTime() - start) / 1e9;
    StoreHealth.Counters after = stores.health().counters();
    long commits = after.commits() - before.commits();
    Arrays.sort(times);
    print(
        String.format(
            "%6d/s wanted, %6.0f/s: writer %.2f, caller %.2f, process %.2f us CPU a message;"
                + " %.1f rows a commit,"
                + " %.0f commits/s; durable after p50 %.2f p99 %.2f p99.9 %.2f max %.2f ms",
            rate,
            total / wall,
            (cpuOf("zonda-store-writer") - writer) / 1e3 / total,
            (THREADS.getCurrentThreadCpuTime() - own) / 1e3 / total,
            (cpuOfProcess() - process) / 1e3 / total,
            (double) (after.entries() - before.entries()) / commits,
            commits / wall,
            times[total / 2] / 1e6,
            times[(int) (total * 0.99)] / 1e6,
            times[(int) (total * 0.999)] / 1e6,
            times[total - 1] / 1e6));
  }

  private void append(long[] times, int number) throws Exception {
    Jid sender = jids.get(random.nextInt(ACCOUNTS));
    Jid receiver = jids.get(random.nextInt(ACCOUNTS));
    Pending pending = new Pending(System.nanoTime(), times, number);
    Message message =
        ((Message)
                Stanza.of(
                    XmlParser.frame(
                        "<message to='"
                            + receiver
                            + "' type='chat' id='m"
                            + number
                            + "'><body>"
                            + "x".repeat(100)
                            + "</body></message>",
                        Namespaces.CLIENT)))
            .withAddresses(Jid.of(sender.local(), sender.domain(), "phone"), receiver);
    MessageLog log = stores.messages();
    log.append(new MessageLog.Entry(sender, log.nextId(), receiver, message), Keep.ARCHIVE, false)
        .whenEnded(pending);
    long id = log.nextId();
    Message stamped =
        message.withPayload(
            Element.builder("urn:xmpp:sid:0", "stanza-id")
                .attribute("by", receiver.toString())
                .attribute("id", Long.toString(id))
                .build());
    Receipt receipt =
        log.append(new MessageLog.Entry(receiver, id, sender, stamped), Keep.ARCHIVE, true);
    receipt.whenEnded(pending);
    receipt.delivered();
  }

  private static long cpuOfProcess() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long cpuOf(String thread) {
    for (long id : THREADS.getAllThreadIds()) {
      if (THREADS.getThreadInfo(id) != null
          && THREADS.getThreadInfo(id).getThreadName().equals(thread)) {
        return THREADS.getThreadCpuTime(id);
      }
    }
    throw new IllegalStateException("no thread " + thread);
  }

  @SuppressWarnings("SystemOut")
  private static void print(String line) {
    System.out.println(line);
  }
}
