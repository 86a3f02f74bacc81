package im.zonda.app.noloss;

import im.zonda.testkit.history.History;
import im.zonda.testkit.history.Journal;
import im.zonda.testkit.history.LedgerReport;
import im.zonda.testkit.history.MessageLedger;
import im.zonda.testkit.noloss.NoLossClients;
import im.zonda.testkit.noloss.NoLossPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// One run of the no-loss checker: a server that is killed and started again while clients send and
/// receive, and the comparison of what they remember.
final class NoLossRun {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int STORIES = 40;

  /// What came of it.
  ///
  /// @param report the judgement
  /// @param line the result in one line
  record Result(LedgerReport report, String line) {}

  private final NoLossOptions options;
  private final Path folder;
  private final SplittableRandom random;
  private int kills;
  private int stops;

  /// A run that reports into that folder, which must be empty.
  NoLossRun(NoLossOptions options, Path folder) {
    this.options = options;
    this.folder = folder;
    this.random = new SplittableRandom(options.seed());
  }

  /// Runs from the first start to the judgement.
  Result run() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    NoLossPlan plan = NoLossPlan.usual(options.seed());
    Path history = folder.resolve("history.txt");
    Result result;
    try (KilledServer server = new KilledServer(folder, options.durable())) {
      if (options.isLong()) {
        server.prepare();
      }
      server.addAccounts(plan.accounts());
      server.start();
      plan = plan.withArchive(NoLossClients.hasArchive(server.lives(), plan.accounts().getFirst()));
      try (Journal journal = new Journal(history)) {
        MessageLedger ledger = new MessageLedger(journal);
        try (NoLossClients course = new NoLossClients(plan, server.lives(), ledger)) {
          course.start();
          if (!course.awaitConnected(PATIENCE)) {
            ledger.violated("not all clients are let in");
          }
          killAndRestart(server, ledger, begin);
          course.finish(PATIENCE);
          checkLog(server, ledger);
          LedgerReport report = ledger.report();
          result = new Result(report, line(report, server, course, plan, begin));
        }
      }
    }
    Files.writeString(folder.resolve("report.txt"), text(result, history));
    return result;
  }

  private void killAndRestart(KilledServer server, MessageLedger ledger, long begin)
      throws IOException, InterruptedException {
    while (kills < options.kills()
        || ledger.acknowledgedCount() < options.messages()
        || System.nanoTime() - begin < options.time().toNanos()) {
      if (!server.lives(random.nextLong(100, options.longestLife().toMillis()))) {
        ledger.violated("the server has died by itself");
      }
      end(server, ledger);
      server.start();
    }
  }

  /// Most lives end by a kill; of ten, one ends by a clean stop, one by a kill during a clean stop,
  /// and after one the next is killed before it is ready.
  private void end(KilledServer server, MessageLedger ledger)
      throws IOException, InterruptedException {
    switch ((kills + stops) % 10) {
      case 3 -> {
        stops++;
        if (!server.stop()) {
          ledger.violated("the server does not stop");
        }
      }
      case 6 -> {
        kills++;
        server.killWhileStopping(random.nextLong(1, 300));
      }
      case 8 -> {
        kills += 2;
        server.kill();
        server.killWhileStarting(random.nextLong(1, 600));
      }
      default -> {
        kills++;
        server.kill();
      }
    }
  }

  private static void checkLog(KilledServer server, MessageLedger ledger) throws IOException {
    List<String> errors = server.errors();
    errors.stream().limit(10).forEach(error -> ledger.violated("the server's log: " + error));
  }

  private String line(
      LedgerReport report, KilledServer server, NoLossClients course, NoLossPlan plan, long begin) {
    List<Long> ready = new ArrayList<>(server.readyMillis());
    ready.sort(null);
    NoLossClients.Connections connections = course.connections();
    return String.format(
        Locale.ROOT,
        "no-loss: %s, seed %d, %d s, %d kills, %d clean stops, ready again after %.2f s (median) to"
            + " %.2f s; %s; %d sessions resumed, %d bound again; %s",
        report.clean() ? "OK" : "FAILED",
        options.seed(),
        (System.nanoTime() - begin) / 1_000_000_000,
        kills,
        stops,
        ready.get(ready.size() / 2) / 1e3,
        ready.getLast() / 1e3,
        report,
        connections.resumed(),
        connections.boundAnew(),
        plan.archive() ? "archives read" : "no archive to read");
  }

  /// The line, every fault, and what the history says of the first messages with faults.
  private static String text(Result result, Path history) throws IOException {
    StringBuilder text = new StringBuilder(result.line()).append('\n');
    result
        .report()
        .violations()
        .forEach(how -> text.append("violation: ").append(how).append('\n'));
    Set<String> told = new HashSet<>();
    for (Map.Entry<String, List<History.Key>> fault : result.report().faults().entrySet()) {
      for (History.Key key : fault.getValue()) {
        text.append(fault.getKey()).append(": ").append(key).append('\n');
        if (told.size() < STORIES) {
          told.add(key.toString());
        }
      }
    }
    if (!told.isEmpty()) {
      text.append("\nfrom history.txt (ms, event, message, session, stanza-id):\n");
      try (var lines = Files.lines(history)) {
        lines
            .filter(line -> told.contains(message(line)))
            .forEach(line -> text.append(line).append('\n'));
      }
    }
    return text.toString();
  }

  private static String message(String line) {
    String[] words = line.split(" ", 4);
    return words.length < 3 ? "" : words[2];
  }
}
