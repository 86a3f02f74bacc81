package im.zonda.storage.sql.measurement;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.RoomStore.Affiliation;
import im.zonda.store.RoomStore.Room;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;

/// Measures the store of rooms; run by hand, prints figures. Arguments: a folder that is empty or
/// of an earlier run, how many rooms, and how many messages stand in the log when rooms are
/// removed.
public final class RoomMeasurement {
  private static final String SERVICE = "rooms.example.org";
  private static final int AT_A_TIME = 400;
  private static final Affiliation OWNER = affiliation(1, "owner");

  private final Path folder;
  private final int rooms;
  private final int messages;
  private final String settings = "roomconfig_setting = value\n".repeat(15);

  private RoomMeasurement(Path folder, int rooms, int messages) {
    this.folder = folder;
    this.rooms = rooms;
    this.messages = messages;
  }

  public static void main(String[] arguments) throws Exception {
    new RoomMeasurement(
            Path.of(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]))
        .run();
  }

  private SqlStores open() {
    return SqlStores.open(
        folder, new Storage(true, true, 2, 512), Limits.defaults(), InstantSource.system());
  }

  private void run() throws Exception {
    openings("before");
    try (SqlStores stores = open()) {
      if (stores.rooms().list(SERVICE, null, 1).isEmpty()) {
        fill(stores);
      }
      queries(stores.rooms());
      changes(stores.rooms());
      large(stores.rooms());
      removals(stores);
    }
    openings("after");
    print("file", Files.size(folder.resolve("zonda.db")) / 1_024 + " KiB");
  }

  private void openings(String when) throws IOException {
    for (int i = 0; i < 4; i++) {
      long start = System.nanoTime();
      try (SqlStores stores = open()) {
        String opened = millis(System.nanoTime() - start);
        start = System.nanoTime();
        stores.rooms().find(address(0));
        print(
            "open, " + when, opened + ", then the first find " + millis(System.nanoTime() - start));
      }
    }
  }

  private static Jid address(int number) {
    return Jid.of("room-%06d".formatted(number), SERVICE, null);
  }

  private static Affiliation affiliation(int user, String word) {
    return new Affiliation(Jid.of("user-" + user + "@example.org"), word, null, null);
  }

  private Room room(int number) {
    return new Room(
        address(number),
        null,
        Instant.EPOCH,
        number % 100 != 0,
        number % 10 != 0,
        "The room with the Number " + number,
        settings);
  }

  private void fill(SqlStores stores) throws InterruptedException {
    long start = System.nanoTime();
    Semaphore free = new Semaphore(AT_A_TIME);
    for (int i = 0; i < rooms; i++) {
      int number = i;
      free.acquire();
      Thread.startVirtualThread(() -> {
        stores
            .rooms()
            .save(
                room(number),
                List.of(OWNER, affiliation(number, "admin"), affiliation(number + 1, "member")));
        free.release();
      });
    }
    free.acquire(AT_A_TIME);
    print("make " + rooms + " rooms, 3 affiliations", millis(System.nanoTime() - start));
  }

  private void queries(RoomStore store) {
    Random random = new Random(7);
    for (int round = 0; round < 3; round++) {
      each("find", 2_000, i -> store.find(address(random.nextInt(rooms))));
      each("listed, a page of 100", 300, i -> store.listed(SERVICE, local(random), null, 100));
      each("listed, a text in each", 300, i -> store.listed(SERVICE, local(random), "NUMBER", 100));
      each(
          "listed, a text in one", 20, i -> store.listed(SERVICE, null, "ber " + (rooms - 1), 100));
      each("listed, a text in none", 20, i -> store.listed(SERVICE, null, "nowhere", 100));
      each("temporary, a page of 100", 300, i -> store.temporary(SERVICE, local(random), 100));
      each("list, a page of 100", 300, i -> store.list(SERVICE, local(random), 100));
    }
    each(
        "all addresses, pages of 100",
        1,
        i -> {
          List<Jid> page = store.list(SERVICE, null, 100);
          while (!page.isEmpty()) {
            page = store.list(SERVICE, page.getLast().local(), 100);
          }
        });
  }

  private String local(Random random) {
    return String.valueOf(address(random.nextInt(rooms)).local());
  }

  private void changes(RoomStore store) {
    Random random = new Random(8);
    for (int round = 0; round < 2; round++) {
      each(
          "save, 1 affiliation",
          500,
          i -> store.save(room(random.nextInt(rooms)), List.of(affiliation(i, "member"))));
    }
    Jid other = Jid.of("other", SERVICE, null);
    each(
        "make and remove",
        200,
        i -> {
          store.save(
              new Room(other, null, Instant.EPOCH, true, true, "", settings), List.of(OWNER));
          store.remove(other);
        });
  }

  private void large(RoomStore store) {
    Jid crowd = Jid.of("crowd", SERVICE, null);
    Room room = new Room(crowd, null, Instant.EPOCH, true, true, "", settings);
    List<Affiliation> members = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      members.add(affiliation(i, "member"));
    }
    each("save 20,000 affiliations", 1, i -> store.save(room, members));
    each("find with 20,000 affiliations", 20, i -> store.find(crowd));
    each("save 1 of them", 200, i -> store.save(room, List.of(affiliation(i, "admin"))));
    each("remove the room", 1, i -> store.remove(crowd));
  }

  /// What it costs the writer until nothing is left of a room.
  private void removals(SqlStores stores) throws InterruptedException, SQLException {
    speak(stores, address(0), messages);
    for (int said : new int[] {0, 0, 0, 10, 1_000, 10_000}) {
      Jid passing = Jid.of("passing", SERVICE, null);
      stores
          .rooms()
          .save(new Room(passing, null, Instant.EPOCH, false, true, "", settings), List.of(OWNER));
      speak(stores, passing, said);
      settle(stores);
      long cpu = writerCpu();
      long start = System.nanoTime();
      stores.rooms().remove(passing);
      while (erasing()) {
        stores.messages().flush();
      }
      print(
          "remove a room of " + said + " messages",
          "all gone after "
              + millis(System.nanoTime() - start)
              + ", writer "
              + millis(writerCpu() - cpu));
    }
  }

  /// Waits until the writer has done everything that follows from the last commit.
  private static void settle(SqlStores stores) {
    int quiet = 0;
    while (quiet < 3) {
      long before = stores.health().counters().entries();
      stores.messages().flush();
      quiet = stores.health().counters().entries() - before > 1 ? 0 : quiet + 1;
    }
  }

  private static void speak(SqlStores stores, Jid room, int count) throws InterruptedException {
    Semaphore free = new Semaphore(10_000);
    for (int i = 0; i < count; i++) {
      free.acquire();
      MessageLog.Entry entry =
          new MessageLog.Entry(
              room,
              stores.messages().nextId(),
              room,
              StoresContract.message(room, room, "x".repeat(100)));
      stores.messages().append(entry, MessageLog.Keep.ARCHIVE, false).whenCommitted(free::release);
    }
    stores.messages().flush();
  }

  private boolean erasing() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("zonda.db"));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from removed_owner")) {
      return row.next() && row.getInt(1) > 0;
    }
  }

  private static long writerCpu() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().equals("zonda-store-writer")) {
        return threads.getThreadCpuTime(thread.getThreadId());
      }
    }
    throw new IllegalStateException("no writer");
  }

  private static void each(String what, int count, IntConsumer call) {
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      call.accept(i);
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    print(
        what,
        count == 1
            ? millis(nanos[0])
            : "p50 "
                + micros(nanos[count / 2])
                + ", p99 "
                + micros(nanos[count * 99 / 100])
                + ", max "
                + micros(nanos[count - 1]));
  }

  private static String micros(long nanos) {
    return nanos / 1_000 + " us";
  }

  private static String millis(long nanos) {
    return "%.1f ms".formatted(nanos / 1e6);
  }

  @SuppressWarnings("SystemOut")
  private static void print(String what, String figures) {
    System.out.printf("%-40s %s%n", what, figures);
  }
}
