package im.zonda.edge;

import im.zonda.link.LinkFormatException;
import im.zonda.link.LinkInput;
import im.zonda.link.LinkOutput;
import im.zonda.metric.TimingCounts;
import java.util.HashMap;
import java.util.Map;

/// The binary form of lengths of time: their sum in ns, how many buckets have some, and of each its
/// number and how many there are.
final class EdgeTimings {
  /// The most buckets that are read, more than there are.
  private static final int MOST = 1_000;

  private EdgeTimings() {}

  static void write(TimingCounts times, LinkOutput out) {
    Map<Integer, Long> buckets = times.buckets();
    out.number(times.sum().toNanos());
    out.number(buckets.size());
    buckets.forEach((bucket, count) -> {
      out.number(bucket);
      out.number(count);
    });
  }

  static TimingCounts read(LinkInput in) throws LinkFormatException {
    long nanos = in.number();
    long size = in.number();
    if (size > MOST) {
      throw new LinkFormatException("too many buckets");
    }
    Map<Integer, Long> buckets = new HashMap<>();
    for (long left = size; left > 0; left--) {
      buckets.put((int) Math.min(in.number(), MOST), in.number());
    }
    try {
      return TimingCounts.of(buckets, nanos);
    } catch (IllegalArgumentException e) {
      throw new LinkFormatException("an unknown bucket", e);
    }
  }
}
