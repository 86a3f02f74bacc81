package im.zonda.bench.scenario.upload;

import im.zonda.bench.load.Conclusion;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.OutcomeFigures;
import im.zonda.bench.load.Plan;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.load.Waiting;
import im.zonda.bench.result.Result;
import im.zonda.bench.scenario.person.Figures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Users ask for slots, put files there and get them back, at a rate.
public final class UploadScenario implements Scenario {
  private static final double DRAIN_SECONDS = 30;
  private static final double NANOS = 1e9;
  private static final double MEBIBYTE = 1 << 20;
  private static final int MOST_BYTES = 1 << 30;

  @Override
  public String name() {
    return "upload";
  }

  @Override
  public String summary() {
    return "Files are uploaded and downloaded by HTTP.";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("users", "50", "users who upload in turns"),
        new Option("rate", "10", "files a second"),
        new Option("size", "65536", "bytes of a file"),
        new Option("downloads", "1", "how often each file is downloaded"));
  }

  @Override
  public Plan plan(Options options) {
    int users = options.whole("users");
    if (users < 1 || !(options.number("rate") > 0)) {
      throw new IllegalArgumentException("--users must be at least 1, --rate more than 0");
    }
    if (options.whole("size") < 1 || options.whole("size") > MOST_BYTES) {
      throw new IllegalArgumentException("--size must be from 1 to " + MOST_BYTES);
    }
    if (options.whole("downloads") < 0) {
      throw new IllegalArgumentException("--downloads must not be negative");
    }
    double warmUp = options.text("warm-up").equals("auto") ? 60 : options.number("warm-up");
    return new Plan(
        users,
        0,
        false,
        2 * users,
        Duration.ofSeconds(10 + (long) (warmUp + options.number("seconds"))),
        String.format(
            Locale.ROOT,
            "%d users upload %s files of %s bytes a second; each is downloaded %s times.",
            users,
            options.text("rate"),
            options.text("size"),
            options.text("downloads")));
  }

  @Override
  public void run(Load load) throws IOException, InterruptedException {
    long _ = load.phase("login");
    try (Uploads uploads = new Uploads(load)) {
      uploads.begin(load.phase("warm-up"));
      load.awaitWarm();
      long begin = load.phase(Load.MEASURE);
      Waiting.until(begin + (long) (load.options().number("seconds") * NANOS));
      uploads.end();
      long _ = load.phase("drain");
      if (!Waiting.until(uploads::isIdle, DRAIN_SECONDS)) {
        load.counters().problem("half a minute after the end uploads were under way");
      }
      long _ = load.phase("logout");
    }
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    long files = outcome.count(Uploads.PUT);
    List<Result.Figure> figures =
        new ArrayList<>(Figures.ofCosts(outcome, "cpu-per-file", "file", files));
    double bytes = (double) outcome.options().whole("size") * files / outcome.seconds();
    figures.add(OutcomeFigures.figure("files", "files uploaded", files / outcome.seconds(), "1/s"));
    figures.add(OutcomeFigures.figure("uploaded", "bytes uploaded", bytes / MEBIBYTE, "MiB/s"));
    figures.addAll(OutcomeFigures.latency(outcome, Uploads.SLOT, "slot"));
    figures.addAll(OutcomeFigures.latency(outcome, Uploads.PUT, "upload, from when it was due"));
    figures.addAll(OutcomeFigures.latency(outcome, Uploads.GET, "download"));
    return new Conclusion(figures, List.of(Figures.withoutErrors(outcome)), List.of(), List.of());
  }
}
