package im.zonda.app.metric;

import im.zonda.metric.HistoryStore;
import im.zonda.metric.Meters;
import im.zonda.metric.Reading;
import im.zonda.operation.Offer;
import im.zonda.runtime.ServerRuntime;
import im.zonda.timer.PeriodicTask;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/// Reads the meters of a running server every few seconds, until it is closed.
public final class Measurement implements AutoCloseable {
  private final CollectorPauses pauses;
  private final PeriodicTask sampling;
  private final PeriodicTask keeping;
  private final KeptHistory kept;
  private final List<Offer<?, ?>> offers;

  private Measurement(
      CollectorPauses pauses,
      PeriodicTask sampling,
      PeriodicTask keeping,
      KeptHistory kept,
      List<Offer<?, ?>> offers) {
    this.pauses = pauses;
    this.sampling = sampling;
    this.keeping = keeping;
    this.kept = kept;
    this.offers = offers;
  }

  /// Begins.
  ///
  /// @param meters gets the readings of the process and of the server
  /// @param server the readings of [ServerMeters]
  /// @param store keeps the history
  /// @param node the name of this node of a cluster; empty without one
  /// @param watch gets what is measured, each time; must not block
  public static Measurement start(
      Meters meters,
      List<Reading> server,
      HistoryStore store,
      String node,
      Consumer<List<Figure>> watch,
      ServerRuntime runtime) {
    CollectorPauses pauses = new CollectorPauses();
    meters.add(ProcessMeters.readings(pauses.times()));
    meters.add(server);
    InstantSource clock = runtime.clock();
    RecentValues recent = new RecentValues(meters, clock);
    MeterHistory history = new MeterHistory();
    KeptHistory kept = new KeptHistory(history, store, node, clock);
    recent.sample();
    PeriodicTask sampling =
        PeriodicTask.start(
            runtime.scheduler(),
            RecentValues.PERIOD,
            RecentValues.PERIOD,
            runtime.workers(),
            () -> {
              List<RecentValues.Current> current = recent.current();
              history.add(clock.instant(), current);
              recent.sample();
              watch.accept(current.stream().map(Figure::of).toList());
            });
    PeriodicTask keeping =
        PeriodicTask.start(
            runtime.scheduler(),
            RecentValues.PERIOD,
            KeptHistory.PERIOD,
            runtime.workers(),
            kept::save);
    HistoryOperation operation = new HistoryOperation(history, kept, clock);
    return new Measurement(
        pauses, sampling, keeping, kept, new MetricOperations(meters, recent, operation).offers());
  }

  /// The operations that show the meters.
  public List<Offer<?, ?>> offers() {
    return offers;
  }

  @Override
  public void close() {
    sampling.cancel();
    keeping.cancel();
    kept.close();
    pauses.close();
  }
}
