package im.zonda.app.demo;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// A square picture of red, green and blue, which is written as PNG. Java has that in the module
/// `java.desktop`, a quarter of a run time, which a server needs for nothing else.
final class PngImage {
  private static final long SIGNATURE = 0x89504E470D0A1A0AL;
  private static final int DEPTH = 8;
  private static final int TRUE_COLOR = 2;
  private static final int COLORS = 3;

  private final int size;

  /// Three values from 0 to 1 for each pixel, line by line.
  private final float[] colors;

  /// An empty picture.
  ///
  /// @param size width and height in pixels
  PngImage(int size) {
    this.size = size;
    this.colors = new float[size * size * COLORS];
  }

  /// Mixes a colour into a pixel.
  ///
  /// @param share how much of the pixel gets the colour, from 0 to 1
  void mix(int x, int y, float[] color, float share) {
    int first = (y * size + x) * COLORS;
    for (int i = 0; i < COLORS; i++) {
      colors[first + i] += (color[i] - colors[first + i]) * share;
    }
  }

  /// The file.
  byte[] png() {
    byte[] lines = new byte[size * (1 + size * COLORS)]; // each begins with 0: no filter
    int at = 0;
    for (int i = 0; i < colors.length; i++) {
      if (i % (size * COLORS) == 0) {
        at++;
      }
      lines[at++] = (byte) Math.round(colors[i] * 255);
    }
    ByteBuffer header = ByteBuffer.allocate(13).putInt(size).putInt(size);
    header.put((byte) DEPTH).put((byte) TRUE_COLOR);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(SIGNATURE).array());
    out.writeBytes(chunk("IHDR", header.array()));
    out.writeBytes(chunk("IDAT", compressed(lines)));
    out.writeBytes(chunk("IEND", new byte[0]));
    return out.toByteArray();
  }

  private static byte[] compressed(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Deflater deflater = new Deflater()) {
      deflater.setInput(content);
      deflater.finish();
      byte[] buffer = new byte[8_192];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
    }
    return out.toByteArray();
  }

  private static byte[] chunk(String type, byte[] content) {
    ByteBuffer chunk = ByteBuffer.allocate(3 * Integer.BYTES + content.length);
    chunk.putInt(content.length).put(type.getBytes(StandardCharsets.US_ASCII)).put(content);
    CRC32 sum = new CRC32();
    sum.update(chunk.array(), Integer.BYTES, Integer.BYTES + content.length);
    return chunk.putInt((int) sum.getValue()).array();
  }
}
