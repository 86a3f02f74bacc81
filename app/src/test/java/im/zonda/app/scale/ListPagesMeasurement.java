package im.zonda.app.scale;

import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import im.zonda.testkit.database.DatabaseServer;
import im.zonda.testkit.database.MariadbServer;
import im.zonda.testkit.database.PostgresqlServer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Measures each page of each list at 100,000 accounts; run by hand, prints the median of the CPU
/// time of this process, and the least, the median and the greatest time, of ten calls. Beside
/// other work the CPU time counts.
///
/// Arguments: a folder, which is filled if it is empty; the kind of database: `sqlite`,
/// `postgresql` or `mariadb`; how many sessions there are.
final class ListPagesMeasurement {
  private static final int ROUNDS = 10;
  private static final double MOST_MILLIS = 50;
  private static final int MOST_STATEMENTS = 3;
  private static final int MOST_PAGES = 3_000;

  private final CountedServer server;
  private int pages;
  private int missed;

  private ListPagesMeasurement(CountedServer server) {
    this.server = server;
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of(arguments[0]).toAbsolutePath());
    Storage storage = storage(arguments[1]);
    int sessions = Integer.parseInt(arguments[2]);
    if (!storage.url().equals(Storage.DEFAULT_URL) || !Files.exists(folder.resolve("zonda.db"))) {
      long begin = System.nanoTime();
      CountedServer.fill(folder, storage, Contents.Size.LARGE);
      print(String.format(Locale.ROOT, "filled in %.1f s", (System.nanoTime() - begin) / 1e9));
    }
    try (CountedServer server = new CountedServer(folder, storage)) {
      print(String.format(Locale.ROOT, "live heap after the start: %.1f MiB", heap()));
      server.logIn(sessions, 1_000);
      print(String.format(Locale.ROOT, "live heap with %d sessions: %.1f MiB", sessions, heap()));
      new ListPagesMeasurement(server).run();
      print(String.format(Locale.ROOT, "live heap at the end: %.1f MiB", heap()));
    }
    System.exit(0); // the database server's threads
  }

  private static Storage storage(String kind) {
    Storage file = new Storage(true, true, 0, 512);
    if (kind.equals("sqlite")) {
      return file;
    }
    DatabaseServer database =
        kind.equals("postgresql") ? PostgresqlServer.shared() : MariadbServer.shared();
    database.createDatabase("large");
    return file.withDatabase(
        database.url("large"), DatabaseServer.USER, DatabaseServer.PASSWORD, DatabaseTls.OFF);
  }

  private static double heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1_048_576.0;
  }

  private void run() {
    List<ListCall> calls = ListCall.all().toList();
    List<List<@Nullable Object>> places = calls.stream().map(this::places).toList();
    for (int i = 0; i < calls.size(); i++) {
      for (Object place : places.get(i)) {
        measure(calls.get(i), place, 50);
        measure(calls.get(i), place, 500);
      }
    }
    print(String.format(Locale.ROOT, "%d pages, %d missed", pages, missed));
    accounts();
  }

  /// Where the first page begins, one in the middle, and the last one.
  private List<@Nullable Object> places(ListCall call) {
    List<Object> all = new ArrayList<>();
    Object next = call.run(server, null, 50).next();
    while (next != null && all.size() < MOST_PAGES) {
      all.add(next);
      next = call.run(server, next, 500).next();
    }
    List<@Nullable Object> places = new ArrayList<>();
    places.add(null);
    if (!all.isEmpty()) {
      places.add(all.get(all.size() / 2));
      places.add(all.getLast());
    }
    return places.stream().distinct().toList();
  }

  private void measure(ListCall call, @Nullable Object place, int limit) {
    double[] millis = new double[ROUNDS];
    double[] cpu = new double[ROUNDS];
    int statements = 0;
    int rows = 0;
    for (int i = 0; i < ROUNDS; i++) {
      server.statements.take();
      long begin = System.nanoTime();
      long before = cpuNanos();
      rows = call.run(server, place, limit).rows().size();
      cpu[i] = (cpuNanos() - before) / 1e6;
      millis[i] = (System.nanoTime() - begin) / 1e6;
      statements = Math.max(statements, server.statements.take().size());
    }
    Arrays.sort(millis);
    Arrays.sort(cpu);
    boolean isMissed = cpu[ROUNDS / 2] > MOST_MILLIS || statements > MOST_STATEMENTS;
    pages++;
    missed += isMissed ? 1 : 0;
    print(
        String.format(
            Locale.ROOT,
            "%s %8.2f CPU %8.2f %8.2f %8.2f ms %3d statements %4d rows  limit %d after %s  %s",
            isMissed ? "MISSED" : "      ",
            cpu[ROUNDS / 2],
            millis[0],
            millis[ROUNDS / 2],
            millis[ROUNDS - 1],
            statements,
            rows,
            limit,
            place,
            call));
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /// Shows accounts that are not in memory, and accounts that are.
  private void accounts() {
    for (String kind : List.of("cold", "warm")) {
      double[] millis =
          IntStream.range(0, 500)
              .mapToDouble(i -> {
                long begin = System.nanoTime();
                Record _ =
                    server.done(
                        "account.show",
                        Map.of("account", Contents.account(50_000 + i * 17).toString()));
                return (System.nanoTime() - begin) / 1e6;
              })
              .sorted()
              .toArray();
      print(
          String.format(
              Locale.ROOT,
              "account.show, %s: median %.2f, p99 %.2f ms, %.1f statements",
              kind,
              millis[millis.length / 2],
              millis[millis.length * 99 / 100],
              server.statements.take().size() / (double) millis.length));
    }
    long begin = System.nanoTime();
    server.done("account.count", Map.of("host", Contents.HOST));
    print(
        String.format(
            Locale.ROOT, "account.count: %s", Duration.ofNanos(System.nanoTime() - begin)));
  }

  @SuppressWarnings("SystemOut")
  private static void print(String line) {
    System.out.println(line);
  }
}
