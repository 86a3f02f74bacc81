package im.zonda.bench.room;

import im.zonda.bench.measure.LatencyHistogram;
import im.zonda.bench.measure.Rate;
import im.zonda.bench.measure.StepCost;
import im.zonda.bench.options.LoadOptions;
import im.zonda.bench.report.RoomSeries;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Many clients enter one room while others chat in theirs. Measures how long it takes, and the
/// latency of the others.
final class RoomStorm {
  private static final String ROOM = "storm";

  private final RoomOptions options;
  private final PrintStream out;
  private final StepCost look;

  private RoomStorm(RoomOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
    this.look = new StepCost(options.load().pid(), out);
  }

  /// Runs the load and prints the report.
  static void run(RoomOptions options, PrintStream out) throws IOException {
    new RoomStorm(options, out).storm();
  }

  private void storm() throws IOException {
    int[] sizes = options.sizes();
    out.println(RoomChat.describe(sizes));
    LoadOptions load = options.load();
    try (RoomClients crowd =
            new RoomClients(options, new SocketConnector(load.address(), options.sources()));
        ExecutorService talking = Executors.newSingleThreadExecutor()) {
      int all = options.sessions() + options.joiners();
      look.step("log in", all, () -> crowd.logIn(all));
      List<RoomClient> others = List.copyOf(crowd.clients().subList(0, options.sessions()));
      List<RoomClient> joiners = List.copyOf(crowd.clients().subList(options.sessions(), all));
      look.step(
          "enter their rooms",
          options.sessions(),
          () -> crowd.enter(RoomClients.fill(others, sizes, options)));
      try (RoomSeries series = new RoomSeries(load.pid(), options.out())) {
        phases(crowd, new RoomTraffic(others, sizes, options), joiners, series, talking);
      }
      String trouble = crowd.trouble();
      if (trouble != null) {
        out.println(trouble);
      }
    }
  }

  /// Chat before, during and after the storm, without a break.
  private void phases(
      RoomClients crowd,
      RoomTraffic talk,
      List<RoomClient> joiners,
      RoomSeries series,
      ExecutorService talking)
      throws IOException {
    Phases phases = new Phases(series);
    crowd.onCopy(phases::record);
    // The end is not known in advance.
    RoomTraffic.Span open = new RoomTraffic.Span(Long.MAX_VALUE, Long.MAX_VALUE);
    RoomTraffic.Watch nobody = new RoomTraffic.Watch(new LatencyHistogram(0, 0), () -> 0, () -> -1);
    Future<?> ended = talking.submit(() -> talk.talk(open, nobody, phases::over));
    pause(options.load().warmup());
    LatencyHistogram before = phases.next();
    pause(options.load().seconds());
    LatencyHistogram during = phases.next();
    AtomicReference<LatencyHistogram> after = new AtomicReference<>(during);
    look.step(
        "enter one room",
        joiners.size(),
        () -> {
          crowd.enter(joiners.stream().map(c -> new RoomClients.Way(c, ROOM)).toList());
          after.set(phases.next());
        });
    long presences = joiners.stream().mapToLong(RoomClient::presences).sum();
    out.printf(
        Locale.ROOT,
        "presences that came to them: %,d (%.0f each)%n",
        presences,
        (double) presences / joiners.size());
    pause(options.load().seconds());
    phases.end();
    await(ended);
    out.println("the others before: " + before.count() + " copies, " + before);
    out.println("the others during: " + during.count() + " copies, " + during);
    out.println("the others after:  " + after.get().count() + " copies, " + after);
  }

  private static void pause(int seconds) {
    Rate.pause(TimeUnit.SECONDS.toMillis(seconds));
  }

  private static void await(Future<?> ended) {
    try {
      ended.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the others have fallen silent", e.getCause());
    }
  }

  /// Counts a copy for the phase in which its message was due.
  private static final class Phases {
    /// A phase, and those before it.
    private record Phase(long start, LatencyHistogram times, @Nullable Phase before) {}

    private final RoomSeries series;
    private volatile Phase current = new Phase(0, new LatencyHistogram(0, Long.MAX_VALUE), null);
    private volatile boolean over;

    Phases(RoomSeries series) {
      this.series = series;
    }

    void record(long due) {
      Phase phase = current;
      Phase before = phase.before();
      while (due < phase.start() && before != null) {
        phase = before;
        before = phase.before();
      }
      phase.times().record(due);
      series.record(due);
    }

    /// A new phase begins: where its times will be.
    LatencyHistogram next() {
      LatencyHistogram times = new LatencyHistogram(0, Long.MAX_VALUE);
      current = new Phase(System.nanoTime(), times, current);
      return times;
    }

    void end() {
      over = true;
    }

    boolean over() {
      return over;
    }
  }
}
