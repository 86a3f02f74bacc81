package im.zonda.storage.sql.measurement;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Page;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog;
import im.zonda.xml.Element;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

/// Measures the archive; run by hand, prints figures. Arguments: a folder, how many messages, how
/// many owners share them, and `text` if words are to be indexed.
public final class ArchiveMeasurement {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int PEERS = 50;
  private static final int WORDS = 20_000;
  private static final long MANY_BYTES = 1L << 30;

  private final Random random = new Random(11);
  private final Path folder;
  private final int messages;
  private final List<Jid> owners;
  private final boolean text;
  private final List<String> words =
      IntStream.range(0, WORDS).mapToObj(i -> Integer.toString(i * 7 + 1_000, 36)).toList();
  private long first;
  private long last;

  private ArchiveMeasurement(Path folder, int messages, int owners, boolean text) {
    this.folder = folder;
    this.messages = messages;
    this.owners =
        IntStream.range(0, owners).mapToObj(i -> Jid.of("user" + i, "example.org", null)).toList();
    this.text = text;
  }

  public static void main(String[] arguments) throws Exception {
    new ArchiveMeasurement(
            Path.of(arguments[0]),
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]),
            List.of(arguments).contains("text"))
        .run();
  }

  private void run() throws Exception {
    try (SqlStores stores =
        SqlStores.open(
            folder,
            new Storage(true, true, 2, 512, text),
            Limits.defaults(),
            InstantSource.system())) {
      stores.accounts().create(owners.stream().map(StoresContract::account).toList());
      fill(stores);
      for (int round = 0; round < 3; round++) {
        pages(stores, "first page", false, null, 0);
        pages(stores, "last page", true, null, 0);
        pages(stores, "after any id", false, null, 1);
        pages(stores, "before any id", true, null, -1);
        pages(stores, "with, bare, after any id", false, peer(3, null), 1);
        pages(stores, "with, bare, last page", true, peer(3, null), 0);
        pages(stores, "with, full, after any id", false, peer(3, "phone"), 1);
        pages(stores, "with, who never wrote", true, Jid.of("nobody@example.net"), 0);
        if (text) {
          search(stores, "one common word", words.get(3));
          search(stores, "two words", words.get(30) + " " + words.get(50));
          search(stores, "a rare word", words.get(WORDS - 5));
        }
      }
    }
    print("file", Files.size(folder.resolve("zonda.db")) / messages + " bytes a message");
  }

  private static Jid peer(int number, @org.jspecify.annotations.Nullable String resource) {
    return Jid.of("peer" + number, "example.net", resource);
  }

  private void fill(SqlStores stores) throws InterruptedException {
    Semaphore relief = new Semaphore(0);
    long cpu = writerCpu();
    long start = System.nanoTime();
    for (int i = 0; i < messages; i++) {
      Jid owner = owners.get(random.nextInt(owners.size()));
      Jid with = peer(random.nextInt(PEERS), random.nextBoolean() ? "phone" : "desk");
      last = stores.messages().nextId();
      first = i == 0 ? last : first;
      stores
          .messages()
          .append(
              new MessageLog.Entry(owner, last, with, message(with, owner)),
              MessageLog.Keep.ARCHIVE,
              false);
      if (stores.messages().congested()) {
        stores.messages().onRelief(relief::release);
        relief.acquire();
      }
    }
    stores.messages().flush();
    print("appended", figure(cpu, start));
    while (stores.health().counters().commits() >= 0 && !isQuiet(stores)) {
      stores.messages().flush();
    }
    print("and indexed", figure(cpu, start));
    print("longest commit", stores.health().counters().maxCommit().toString());
  }

  /// Whether no work of the writer was followed by another.
  private static boolean isQuiet(SqlStores stores) {
    for (int i = 0; i < 3; i++) {
      long before = stores.health().counters().entries();
      stores.messages().flush();
      if (stores.health().counters().entries() - before > 1) {
        return false;
      }
    }
    return true;
  }

  private String figure(long cpu, long start) {
    return String.format(
        "writer %.2f us a message, %.1f s",
        (writerCpu() - cpu) / 1e3 / messages, (System.nanoTime() - start) / 1e9);
  }

  private Message message(Jid from, Jid to) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      // Few words are common and many are rare, as in any language.
      double rank = Math.pow(random.nextDouble(), 4);
      body.append(words.get((int) (rank * WORDS))).append(' ');
    }
    return Message.of(
        Message.Type.CHAT,
        from,
        to,
        "m" + random.nextInt(),
        List.of(Element.builder(Namespaces.CLIENT, "body").text(body.toString()).build()));
  }

  private void pages(
      SqlStores stores,
      String what,
      boolean backwards,
      @org.jspecify.annotations.Nullable Jid with,
      int where) {
    measure(
        what,
        () -> {
          long any = first + (long) (random.nextDouble() * (last - first));
          Filter filter =
              new Filter(
                  with,
                  where > 0 ? any : Long.MIN_VALUE,
                  where < 0 ? any : Long.MAX_VALUE,
                  null,
                  null);
          return stores.archive().page(owner(), filter, new Portion(backwards, 50, MANY_BYTES));
        });
  }

  private void search(SqlStores stores, String what, String query) {
    measure(
        "search: " + what,
        () -> {
          Filter filter = new Filter(null, Long.MIN_VALUE, Long.MAX_VALUE, null, query);
          return stores.archive().page(owner(), filter, new Portion(true, 50, MANY_BYTES));
        });
  }

  private Jid owner() {
    return owners.get(random.nextInt(owners.size()));
  }

  private interface Question {
    Page ask();
  }

  private static void measure(String what, Question question) {
    List<Long> nanos = new ArrayList<>();
    int entries = 0;
    for (int i = 0; i < 200; i++) {
      long start = System.nanoTime();
      entries += question.ask().entries().size();
      nanos.add(System.nanoTime() - start);
    }
    long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    print(
        what,
        String.format(
            "p50 %.2f ms, p99 %.2f ms, max %.2f ms, %.1f entries",
            sorted[100] / 1e6, sorted[198] / 1e6, sorted[199] / 1e6, entries / 200.0));
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

  @SuppressWarnings("SystemOut")
  private static void print(String what, String figures) {
    System.out.printf("%-28s %s%n", what, figures);
  }
}
