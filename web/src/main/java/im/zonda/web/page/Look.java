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
/// @param color the main colour, as `#rrggbb`
/// @param style the style sheet
/// @param colors the colours alone, for the chat, which has styles of its own
/// @param picture the picture
/// @param manifest what a device needs to install the chat as an app
public record Look(
    String title,
    String color,
    StaticFile style,
    StaticFile colors,
    StaticFile picture,
    StaticFile manifest) {
  /// The most bytes of a picture.
  private static final int MOST = 1_048_576;

  /// The least contrast of a text with what is behind it (WCAG 2.2, success criterion 1.4.3).
  private static final double CONTRAST = 4.5;

  /// The darkest of the light surfaces, and the lightest of the dark ones (`--card`).
  private static final String LIGHT = "#f5f8f9";

  private static final String DARK = "#1a2328";

  /// The steps from a colour to black or white.
  private static final int STEPS = 20;

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
    String colors = colors(color);
    byte[] style = (text("style.css") + colors).getBytes(StandardCharsets.UTF_8);
    byte[] shown = picture == null ? resource("picture.svg") : bytes(picture);
    String type = picture == null ? "image/svg+xml" : type(picture);
    return new Look(
        title,
        color,
        StaticFile.of("text/css; charset=utf-8", style, CACHE),
        StaticFile.of("text/css; charset=utf-8", colors.getBytes(StandardCharsets.UTF_8), CACHE),
        // A picture in SVG is shown and does nothing, also when it is opened by itself.
        StaticFile.of(type, shown, CACHE)
            .with("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
        WebManifest.of(title, color, type, shown));
  }

  /// The colours of a host: the main one, what is written on it, and the accent, which is the main
  /// one made dark or light enough to be read on the surfaces of the page.
  private static String colors(String color) {
    return """
    :root { --main: %s; --on-main: %s; --accent: %s; }
    @media (prefers-color-scheme: dark) { :root { --accent: %s; } }
    """
        .formatted(color, textColor(color), readableOn(LIGHT, color), readableOn(DARK, color));
  }

  /// A colour, mixed with as much black or white as it takes to be read on a surface.
  static String readableOn(String surface, String color) {
    double behind = luminance(surface);
    int end = behind > 0.5 ? 0 : 255;
    String mixed = color;
    for (int step = 1; contrast(luminance(mixed), behind) < CONTRAST && step <= STEPS; step++) {
      StringBuilder next = new StringBuilder("#");
      for (int i = 0; i < 3; i++) {
        int part = part(color, i);
        next.append(String.format(Locale.ROOT, "%02x", part + (end - part) * step / STEPS));
      }
      mixed = next.toString();
    }
    return mixed;
  }

  /// Black or white, whichever is read better on a colour (WCAG 2, contrast ratio).
  public static String textColor(String color) {
    return contrast(luminance(color), 1) >= CONTRAST ? "#ffffff" : "#000000";
  }

  private static double contrast(double one, double other) {
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  }

  private static double luminance(String color) {
    double[] light = new double[3];
    for (int i = 0; i < 3; i++) {
      double part = part(color, i) / 255.0;
      light[i] = part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
    }
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
  }

  /// The red, green or blue of a colour, from 0 to 255.
  private static int part(String color, int index) {
    return Integer.parseInt(color.substring(2 * index + 1, 2 * index + 3), 16);
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

  private static String text(String name) {
    return new String(resource(name), StandardCharsets.UTF_8);
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
