package im.zonda.study.load;

import im.zonda.study.statistics.Samples;

/// The samples of one load.
///
/// @param samples the times of the pages, in order
/// @param errors answers other than 200, and connections that failed
/// @param seconds from the first request to the last answer
/// @param lateMillis by how much the generator was late, at the 99th percentile; NaN if it has no
///   due times
public record PageLoad(Samples samples, int errors, double seconds, double lateMillis) {
  /// Pages a second.
  public double rate() {
    return samples.count() / seconds;
  }
}
