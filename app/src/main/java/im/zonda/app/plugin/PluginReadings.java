package im.zonda.app.plugin;

import im.zonda.host.plugin.Plugins;
import im.zonda.metric.Label;
import im.zonda.metric.Meter;
import im.zonda.metric.Reading;
import im.zonda.metric.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Readings of plugins: how much they do, and how well.
public final class PluginReadings {
  private static final Label PLUGIN = Label.of("plugin");
  private static final double NANOS = 1e9;

  private static final Meter CALLS =
      Meter.counter("zonda_plugin_calls_total", "Calls of handlers of a plugin", PLUGIN);

  private static final Meter TIME =
      Meter.counter(
          "zonda_plugin_call_seconds_total", "Time that calls of handlers have taken", PLUGIN);

  private static final Meter FAILED =
      Meter.counter(
          "zonda_plugin_failures_total",
          "Calls of handlers of a plugin that have failed or took too long",
          PLUGIN);

  private static final Meter SKIPPED =
      Meter.counter(
          "zonda_plugin_skipped_total", "Calls of handlers of a plugin that were not made", PLUGIN);

  private static final Meter LOST =
      Meter.counter(
          "zonda_plugin_lost_events_total",
          "Events that a plugin did not see because too many waited",
          PLUGIN);

  private static final Meter FAULTY =
      Meter.gauge(
          "zonda_plugin_faulty",
          "1 while a plugin does not run, or its handlers are skipped, because of its faults",
          PLUGIN);

  /// The definitions.
  public static final List<Meter> ALL = List.of(CALLS, TIME, FAILED, SKIPPED, LOST, FAULTY);

  private PluginReadings() {}

  /// The readings of a server.
  static List<Reading> of(AddedPlugins added) {
    Plugins plugins = added.running();
    return List.of(
        CALLS.byEach(() -> samples(plugins, each -> each.counts().calls())),
        TIME.byEach(() -> samples(plugins, each -> each.counts().time().toNanos() / NANOS)),
        FAILED.byEach(
            () -> samples(plugins, each -> each.counts().failed() + (double) each.counts().late())),
        SKIPPED.byEach(() -> samples(plugins, each -> each.counts().skipped())),
        LOST.byEach(() -> samples(plugins, Plugins.Status::lostEvents)),
        FAULTY.byEach(() -> faulty(added)));
  }

  private static List<Sample> samples(Plugins plugins, ToDoubleFunction<Plugins.Status> value) {
    List<Sample> samples = new ArrayList<>();
    plugins
        .running()
        .forEach((name, status) -> samples.add(Sample.of(value.applyAsDouble(status), name)));
    return samples;
  }

  private static List<Sample> faulty(AddedPlugins added) {
    var running = added.running().running();
    List<Sample> samples = new ArrayList<>();
    for (AddedPlugin each : added.known()) {
      Plugins.Status status = running.get(each.name());
      boolean faulty =
          status == null ? each.enabled() || each.reason() != null : status.skippedUntil() != null;
      samples.add(Sample.of(faulty ? 1 : 0, each.name()));
    }
    return samples;
  }
}
