package im.zonda.web.page;

import com.google.zxing.WriterException;
import com.google.zxing.qrcode.decoder.ErrorCorrectionLevel;
import com.google.zxing.qrcode.encoder.ByteMatrix;
import com.google.zxing.qrcode.encoder.Encoder;
import org.jspecify.annotations.Nullable;

/// Draws QR codes.
public final class QrImage {
  /// The empty frame that readers need, in modules.
  private static final int QUIET = 4;

  private QrImage() {}

  /// A QR code as SVG markup, with a frame; null if the text is too long for one.
  ///
  /// @param label says to people who cannot see it what it is
  public static @Nullable Markup svg(String text, String label) {
    ByteMatrix modules;
    try {
      modules = Encoder.encode(text, ErrorCorrectionLevel.M).getMatrix();
    } catch (WriterException _) {
      return null;
    }
    int size = modules.getWidth() + 2 * QUIET;
    StringBuilder path = new StringBuilder();
    for (int y = 0; y < modules.getHeight(); y++) {
      for (int x = 0; x < modules.getWidth(); x++) {
        if (modules.get(x, y) == 1) {
          path.append('M').append(x + QUIET).append(' ').append(y + QUIET).append("h1v1h-1z");
        }
      }
    }
    return new Markup()
        .tag("<svg class=\"qr\" role=\"img\"")
        .attribute("viewBox", "0 0 " + size + " " + size)
        .attribute("aria-label", label)
        .tag("><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/><path fill=\"#000000\"")
        .attribute("d", path.toString())
        .tag("/></svg>");
  }
}
