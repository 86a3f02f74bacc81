package im.zonda.metric;

import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/// Definition of something that is counted or measured.
///
/// @param name such as `zonda_stanzas_total`; its unit, a base unit, is a part of it
/// @param kind what its values mean
/// @param help what it is, in a few words without a full stop
/// @param labels what its series differ by; mostly none
public record Meter(String name, Kind kind, String help, List<Label> labels) {
  private static final String NAME = "(zonda|jvm|process)(_[a-z0-9]+)+";

  /// What the values of a meter mean.
  public enum Kind {
    /// A number that only grows, until the server starts again.
    COUNTER,
    /// A number at present.
    GAUGE,
    /// Lengths of time: how many there were of each, from 1 µs to 100 s.
    TIMING,
    /// Lengths of time: how many there were, and their sum.
    SUMMARY
  }

  /// @throws IllegalArgumentException if the name is against the convention: that of a counter ends
  ///   with `_total` and that of times with `_seconds`
  public Meter {
    labels = List.copyOf(labels);
    boolean ends =
        switch (kind) {
          case COUNTER -> name.endsWith("_total");
          case GAUGE -> !name.endsWith("_total");
          case TIMING, SUMMARY -> name.endsWith("_seconds");
        };
    if (!ends || !name.matches(NAME)) {
      throw new IllegalArgumentException("no name of a " + kind + ": " + name);
    }
  }

  /// A number that only grows.
  public static Meter counter(String name, String help, Label... labels) {
    return new Meter(name, Kind.COUNTER, help, List.of(labels));
  }

  /// A number at present.
  public static Meter gauge(String name, String help, Label... labels) {
    return new Meter(name, Kind.GAUGE, help, List.of(labels));
  }

  /// Lengths of time.
  public static Meter timing(String name, String help, Label... labels) {
    return new Meter(name, Kind.TIMING, help, List.of(labels));
  }

  /// Lengths of time of which only the sum is known.
  public static Meter summary(String name, String help, Label... labels) {
    return new Meter(name, Kind.SUMMARY, help, List.of(labels));
  }

  /// Whether a module of each host declares it.
  public boolean isOfHosts() {
    return labels.contains(Label.HOST);
  }

  /// Reads it from `number`, which any thread may call and which does not block.
  public Reading by(DoubleSupplier number) {
    return byEach(() -> List.of(Sample.of(number.getAsDouble())));
  }

  /// Reads it from a counter.
  public Reading by(Counter counter) {
    return by(counter::count);
  }

  /// Reads it from a timing.
  public Reading by(Timing timing) {
    return byEach(() -> List.of(Sample.of(timing.counts())));
  }

  /// Reads it, one sample for each combination of its labels.
  ///
  /// @param samples any thread may call it, and it does not block
  public Reading byEach(Supplier<List<Sample>> samples) {
    return new Reading(this, samples);
  }

  @Override
  public String toString() {
    return name;
  }
}
