package im.zonda.web.page;

import im.zonda.http.page.StaticFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/// The web application manifest, by which a browser installs the chat as an app. Installing needs
/// no service worker.
final class WebManifest {
  /// The signature of a PNG file, and the length and type of its first chunk.
  private static final byte[] PNG = {
    (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'
  };

  private WebManifest() {}

  /// Makes the manifest of a host.
  ///
  /// @param title the name of the server
  /// @param color the main colour
  /// @param type the media type of the picture
  /// @param picture the picture, which becomes the icon
  static StaticFile of(String title, String color, String type, byte[] picture) {
    String manifest =
        """
        {
          "id": "/chat/",
          "name": %1$s,
          "short_name": %1$s,
          "start_url": "/chat/",
          "scope": "/",
          "display": "standalone",
          "theme_color": "%2$s",
          "background_color": "%2$s",
          "icons": [{"src": "/web/picture", "type": "%3$s", "sizes": "%4$s"}]
        }
        """
            .formatted(quote(title), color, type, sizes(picture));
    return StaticFile.of(
        "application/manifest+json", manifest.getBytes(StandardCharsets.UTF_8), "max-age=3600");
  }

  /// The width and height of a PNG file; `any` for other pictures.
  private static String sizes(byte[] picture) {
    if (picture.length < PNG.length + 2 * Integer.BYTES
        || !Arrays.equals(picture, 0, PNG.length, PNG, 0, PNG.length)) {
      return "any";
    }
    ByteBuffer header = ByteBuffer.wrap(picture, PNG.length, 2 * Integer.BYTES);
    return header.getInt() + "x" + header.getInt();
  }

  /// A text as a string of JSON.
  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
