package im.zonda.app.metric;

import im.zonda.metric.Meters;
import im.zonda.metric.Reading;
import im.zonda.operation.Offer;
import im.zonda.runtime.ServerRuntime;
import im.zonda.timer.PeriodicTask;
import java.time.InstantSource;
import java.util.List;

/// Reads the meters of a running server every few seconds, until it is closed.
public final class Measurement implements AutoCloseable {
  private final CollectorPauses pauses;
  private final PeriodicTask sampling;
  private final List<Offer<?, ?>> offers;

  private Measurement(CollectorPauses pauses, PeriodicTask sampling, List<Offer<?, ?>> offers) {
    this.pauses = pauses;
    this.sampling = sampling;
    this.offers = offers;
  }

  /// Begins.
  ///
  /// @param meters gets the readings of the process and of the server
  /// @param server the readings of [ServerMeters]
  public static Measurement start(Meters meters, List<Reading> server, ServerRuntime runtime) {
    CollectorPauses pauses = new CollectorPauses();
    meters.add(ProcessMeters.readings(pauses.times()));
    meters.add(server);
    InstantSource clock = runtime.clock();
    RecentValues recent = new RecentValues(meters, clock);
    MeterHistory history = new MeterHistory();
    recent.sample();
    PeriodicTask sampling =
        PeriodicTask.start(
            runtime.scheduler(),
            RecentValues.PERIOD,
            RecentValues.PERIOD,
            runtime.workers(),
            () -> {
              history.add(clock.instant(), recent.current());
              recent.sample();
            });
    return new Measurement(
        pauses, sampling, new MetricOperations(meters, recent, history, clock).offers());
  }

  /// The operations that show the meters.
  public List<Offer<?, ?>> offers() {
    return offers;
  }

  @Override
  public void close() {
    sampling.cancel();
    pauses.close();
  }
}
