package im.zonda.app.accounts;

import im.zonda.auth.provider.ProviderChains;
import im.zonda.auth.provider.ProviderGate;
import im.zonda.metric.Label;
import im.zonda.metric.Meter;
import im.zonda.metric.Reading;
import im.zonda.metric.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Readings of those who keep accounts elsewhere: how fast and how often they answer.
public final class ProviderReadings {
  private static final Label PROVIDER = Label.of("provider");

  private static final Meter TIME =
      Meter.timing(
          "zonda_provider_answer_seconds",
          "Time that a provider of accounts takes for an answer",
          PROVIDER);

  private static final Meter FAILED =
      Meter.counter(
          "zonda_provider_failures_total",
          "Questions to a provider of accounts that were not answered",
          PROVIDER);

  private static final Meter AWAY =
      Meter.gauge(
          "zonda_provider_away",
          "1 while a provider of accounts does not answer and is asked now and then only",
          PROVIDER);

  /// The definitions.
  public static final List<Meter> ALL = List.of(TIME, FAILED, AWAY);

  private ProviderReadings() {}

  /// The readings of a server.
  public static List<Reading> of(ProviderChains chains) {
    return List.of(
        TIME.byEach(() -> samples(chains, gate -> Sample.of(gate.time().counts(), gate.name()))),
        FAILED.byEach(() -> samples(chains, gate -> Sample.of(gate.failed().count(), gate.name()))),
        AWAY.byEach(() ->
            samples(chains, gate -> Sample.of(gate.state().away() == null ? 0 : 1, gate.name()))));
  }

  /// One for each name: hosts with different settings may have providers of the same name, whose
  /// samples are added.
  private static List<Sample> samples(
      ProviderChains chains, Function<ProviderGate, Sample> sample) {
    List<Sample> samples = new ArrayList<>();
    List<String> names = new ArrayList<>();
    chains.gates().values().stream()
        .flatMap(List::stream)
        .distinct()
        .forEach(gate -> {
          int known = names.indexOf(gate.name());
          if (known >= 0) {
            samples.set(known, samples.get(known).plus(sample.apply(gate)));
          } else if (names.size() < Label.MOST_VALUES) {
            names.add(gate.name());
            samples.add(sample.apply(gate));
          }
        });
    return samples;
  }
}
