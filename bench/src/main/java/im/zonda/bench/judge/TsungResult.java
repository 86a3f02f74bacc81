package im.zonda.bench.judge;

import im.zonda.bench.load.Outcome.ProcessUse;
import im.zonda.bench.result.Result;
import im.zonda.bench.result.Result.Figure;
import im.zonda.bench.result.Result.Verdict;
import im.zonda.bench.run.Machine;
import im.zonda.bench.sample.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// A run of Tsung as a result like the others: Tsung's own figures, and those of the server from
/// the same time, which Tsung does not have.
public final class TsungResult {
  private static final String TRANSACTION = "tr_";
  private static final double MICROS = 1e3;
  private static final double MEBIBYTE = 1 << 20;

  private static final List<String> NOTES =
      List.of(
          "Tsung logs in by PLAIN, so each login has the server hash a password: a login costs what"
              + " its iterations cost.",
          "Tsung counts an answer when any bytes have come, and has means of ten seconds, but no"
              + " percentiles. Messages are sent without waiting, so they have no times here.");

  private TsungResult() {}

  /// Makes the result.
  ///
  /// @param run what ran
  /// @param subject the server
  /// @param users how many people were to arrive
  public static Result of(
      Result.Run run, Result.Subject subject, int users, TsungLog log, Samples samples) {
    List<Figure> figures = new ArrayList<>();
    long logins = login(log);
    figures.add(new Figure("sessions", "people who have logged in", logins, "", null));
    double server =
        samples.uses().stream()
            .filter(use -> !use.name().startsWith("database"))
            .mapToDouble(ProcessUse::cpuMicros)
            .sum();
    if (!samples.uses().isEmpty() && logins > 0) {
      figures.add(
          new Figure(
              "cpu-per-session",
              "CPU of the server a session",
              server / logins / MICROS,
              "ms",
              null));
      figures.add(
          new Figure(
              "rss-server",
              "most resident memory of the server",
              samples.uses().getFirst().residentMost() / MEBIBYTE,
              "MiB",
              null));
    }
    Map<String, TsungLog.Sample> sorted = new TreeMap<>(log.samples());
    sorted.forEach((name, sample) -> {
      if (name.startsWith(TRANSACTION)) {
        String word = name.substring(TRANSACTION.length());
        figures.add(
            new Figure(word + "-mean", "Tsung's mean of " + word, sample.mean(), "ms", null));
      }
    });
    List<String> notes = new ArrayList<>(NOTES);
    notes.addAll(samples.notes());
    return new Result(
        run,
        Machine.describe(),
        subject,
        figures,
        List.of(),
        samples.series(),
        List.of(),
        List.of(complete(logins, users), withoutFaults(log)),
        tables(sorted, log, samples, logins),
        notes);
  }

  /// Those whose rosters have come: Tsung counts a refused login as a login too.
  private static long login(TsungLog log) {
    TsungLog.Sample sample = log.samples().get(TRANSACTION + "roster");
    return sample == null ? 0 : sample.count();
  }

  /// Tsung draws arrivals by chance: about as many as the rate says come.
  private static Verdict complete(long logins, int users) {
    long finished = Math.min(logins, users);
    boolean met = finished >= users * 0.8;
    return new Verdict(
        met,
        String.format(Locale.ROOT, "%,d of %,d people have logged in.", finished, users),
        "at least four of five, since arrivals are by chance");
  }

  private static Verdict withoutFaults(TsungLog log) {
    List<String> faults = log.faults();
    return new Verdict(
        faults.isEmpty(),
        faults.isEmpty()
            ? "Tsung has counted no error, and each login was checked."
            : "Tsung has counted errors: " + String.join(", ", faults) + ".",
        "no counter of errors, and no answer that did not match");
  }

  private static List<Result.Table> tables(
      Map<String, TsungLog.Sample> samples, TsungLog log, Samples measured, long logins) {
    List<List<String>> times = new ArrayList<>();
    samples.forEach((name, sample) ->
        times.add(
            List.of(
                name,
                Long.toString(sample.count()),
                String.format(Locale.ROOT, "%.2f", sample.mean()),
                String.format(Locale.ROOT, "%.2f", sample.most()))));
    List<List<String>> counts = new ArrayList<>();
    new TreeMap<>(log.counts()).forEach((name, count) -> counts.add(List.of(name, "" + count)));
    List<Result.Table> tables = new ArrayList<>();
    tables.add(
        new Result.Table(
            "Times as Tsung has measured them",
            List.of("name", "count", "mean, ms", "most, ms"),
            times));
    tables.add(new Result.Table("Counters of Tsung", List.of("name", "total"), counts));
    if (!measured.threads().isEmpty()) {
      tables.add(measured.threadTable(logins));
    }
    return tables;
  }
}
