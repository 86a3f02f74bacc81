package im.zonda.cluster.membership;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Counts the frames between this node and the others since the process started. What the engine
/// sends for itself is not counted.
///
/// Safe for use by several threads.
public final class FrameTraffic {
  private final Direction in = new Direction();
  private final Direction out = new Direction();

  /// What was received and sent.
  public record Counts(long framesIn, long bytesIn, long framesOut, long bytesOut) {}

  void received(List<byte[]> frames) {
    in.add(frames);
  }

  void sent(List<byte[]> frames) {
    out.add(frames);
  }

  Counts counts() {
    return new Counts(in.frames.sum(), in.bytes.sum(), out.frames.sum(), out.bytes.sum());
  }

  private static final class Direction {
    private final LongAdder frames = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    void add(List<byte[]> sent) {
      long size = 0;
      for (byte[] frame : sent) {
        size += frame.length;
      }
      frames.add(sent.size());
      bytes.add(size);
    }
  }
}
