package im.zonda.metric;

import java.util.List;
import java.util.stream.Stream;

/// The value of one series of a meter at one moment.
public sealed interface Sample {
  /// The values of the meter's labels, in their order.
  List<String> labels();

  /// The same with one more label in front.
  Sample withLabel(String first);

  /// The sum with a sample of the same meter and the same labels.
  ///
  /// @throws IllegalArgumentException if that is one of another kind
  Sample plus(Sample other);

  /// The value of a counter or a gauge.
  record Amount(List<String> labels, double value) implements Sample {
    /// Copies the list.
    public Amount {
      labels = List.copyOf(labels);
    }

    @Override
    public Sample withLabel(String first) {
      return new Amount(prepend(first, labels), value);
    }

    @Override
    public Sample plus(Sample other) {
      return other instanceof Amount(var _, double more)
          ? new Amount(labels, value + more)
          : differs(other);
    }
  }

  /// The value of a timing.
  record Times(List<String> labels, TimingCounts counts) implements Sample {
    /// Copies the list.
    public Times {
      labels = List.copyOf(labels);
    }

    @Override
    public Sample withLabel(String first) {
      return new Times(prepend(first, labels), counts);
    }

    @Override
    public Sample plus(Sample other) {
      return other instanceof Times(var _, TimingCounts more)
          ? new Times(labels, counts.plus(more))
          : differs(other);
    }
  }

  /// The value of a summary.
  ///
  /// @param count how many lengths of time there were
  /// @param seconds their sum
  record Sum(List<String> labels, long count, double seconds) implements Sample {
    /// Copies the list.
    public Sum {
      labels = List.copyOf(labels);
    }

    @Override
    public Sample withLabel(String first) {
      return new Sum(prepend(first, labels), count, seconds);
    }

    @Override
    public Sample plus(Sample other) {
      return other instanceof Sum(var _, long more, double time)
          ? new Sum(labels, count + more, seconds + time)
          : differs(other);
    }
  }

  /// The value of a counter or a gauge.
  static Sample of(double value, String... labels) {
    return new Amount(List.of(labels), value);
  }

  /// The value of a counter or a gauge, exact up to 2^53.
  static Sample of(long value, String... labels) {
    return of((double) value, labels);
  }

  /// The value of a timing.
  static Sample of(TimingCounts counts, String... labels) {
    return new Times(List.of(labels), counts);
  }

  private static List<String> prepend(String first, List<String> labels) {
    return Stream.concat(Stream.of(first), labels.stream()).toList();
  }

  private static Sample differs(Sample other) {
    throw new IllegalArgumentException("a sample of another kind: " + other);
  }
}
