package im.zonda.bench.result;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/// Distributions as texts: the compressed form of HdrHistogram, version 2, in Base64.
public final class HistogramText {
  private HistogramText() {}

  /// Writes a distribution.
  public static String of(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  /// Reads a distribution.
  ///
  /// @throws IllegalArgumentException if the text is none
  public static Histogram histogram(String text) {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
    } catch (DataFormatException | RuntimeException e) { // the decoder throws what it stumbles over
      throw new IllegalArgumentException("no histogram: " + e.getMessage(), e);
    }
  }
}
