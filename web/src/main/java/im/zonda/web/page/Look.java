package im.zonda.web.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The look of a host's pages.
///
/// @param title the name of the server for people
/// @param style the style sheet
/// @param picture the picture
public record Look(String title, StaticFile style, StaticFile picture) {
  /// The most bytes of a picture.
  private static final int MOST = 1_048_576;

  private static final String CACHE = "max-age=3600";
  private static final Map<String, String> TYPES =
      Map.of("png", "image/png", "jpg", "image/jpeg", "jpeg", "image/jpeg", "svg", "image/svg+xml");

  /// Reads the look.
  ///
  /// @param title the name of the server
  /// @param color the main colour, as `#rrggbb`
  /// @param picture a file, or null for Zonda's own picture
  /// @throws UncheckedIOException if the file cannot be read, or is not a picture
  public static Look read(String title, String color, @Nullable Path picture) {
    String style =
        new String(resource("style.css"), StandardCharsets.UTF_8)
            + ":root { --main: "
            + color
            + "; --on-main: "
            + textColor(color)
            + "; }\n";
    return new Look(
        title,
        StaticFile.of("text/css; charset=utf-8", style.getBytes(StandardCharsets.UTF_8), CACHE),
        (picture == null
                ? StaticFile.of("image/svg+xml", resource("picture.svg"), CACHE)
                : StaticFile.of(type(picture), bytes(picture), CACHE))
            // A picture in SVG is shown and does nothing, also when it is opened by itself.
            .with("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"));
  }

  /// Black or white, whichever is read better on a colour (WCAG 2, contrast ratio).
  public static String textColor(String color) {
    double[] light = new double[3];
    for (int i = 0; i < 3; i++) {
      double part = Integer.parseInt(color.substring(2 * i + 1, 2 * i + 3), 16) / 255.0;
      light[i] = part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
    }
    double luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
    return 1.05 / (luminance + 0.05) >= 4.5 ? "#ffffff" : "#000000";
  }

  private static String type(Path picture) {
    String name = picture.toString().toLowerCase(Locale.ROOT);
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null) {
      throw new UncheckedIOException(
          new IOException(picture + " is not a picture: .png, .jpg or .svg is expected"));
    }
    return type;
  }

  private static byte[] bytes(Path picture) {
    try {
      if (Files.size(picture) > MOST) {
        throw new IOException(picture + " has more than " + MOST + " bytes");
      }
      return Files.readAllBytes(picture);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A file beside this class.
  public static byte[] resource(String name) {
    try (InputStream in = Look.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no file " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
