package im.zonda.console.view;

import com.google.zxing.WriterException;
import com.google.zxing.qrcode.decoder.ErrorCorrectionLevel;
import com.google.zxing.qrcode.encoder.ByteMatrix;
import com.google.zxing.qrcode.encoder.Encoder;
import org.jspecify.annotations.Nullable;

/// A QR code as a path of SVG, with the empty frame that readers need.
///
/// @param size the width and the height, in modules
/// @param path the dark modules
public record QrCode(int size, String path) {
  private static final int QUIET = 4;

  /// The code of a text; null if it is too long for one.
  public static @Nullable QrCode of(String text) {
    ByteMatrix modules;
    try {
      modules = Encoder.encode(text, ErrorCorrectionLevel.M).getMatrix();
    } catch (WriterException _) {
      return null;
    }
    StringBuilder path = new StringBuilder();
    for (int y = 0; y < modules.getHeight(); y++) {
      for (int x = 0; x < modules.getWidth(); x++) {
        if (modules.get(x, y) == 1) {
          path.append('M').append(x + QUIET).append(' ').append(y + QUIET).append("h1v1h-1z");
        }
      }
    }
    return new QrCode(modules.getWidth() + 2 * QUIET, path.toString());
  }

  /// The coordinates that are seen.
  public String viewBox() {
    return "0 0 " + size + " " + size;
  }
}
