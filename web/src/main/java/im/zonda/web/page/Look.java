package im.zonda.web.page;

import im.zonda.http.page.StaticFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
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
  /// The path of the picture.
  public static final String PICTURE = "/web/picture";

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
    String type;
    byte[] shown;
    try {
      type = picture == null ? "image/svg+xml" : type(picture);
      shown = picture == null ? resource("picture.svg") : bytes(picture, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  /// Reads a picture and checks it.
  ///
  /// @throws IOException if it cannot be read; or with a sentence for the administrator if it is
  ///   not a picture, or is too large
  public static void check(Path picture) throws IOException {
    byte[] _ = bytes(picture, type(picture));
  }

  private static String type(Path picture) throws IOException {
    String name = picture.toString().toLowerCase(Locale.ROOT);
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null) {
      throw new IOException(picture + " is not a picture: .png, .jpg or .svg is expected");
    }
    return type;
  }

  private static byte[] bytes(Path picture, String type) throws IOException {
    if (Files.size(picture) > MOST) {
      throw new IOException(picture + " has more than " + MOST + " bytes");
    }
    byte[] bytes = Files.readAllBytes(picture);
    if (!begins(bytes, type)) {
      throw new IOException(picture + " does not hold a picture of the type " + type);
    }
    return bytes;
  }

  /// Whether a file begins as one of its type does.
  private static boolean begins(byte[] bytes, String type) {
    String beginning = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 4));
    return switch (type) {
      case "image/png" -> beginning.startsWith("89504e47");
      case "image/jpeg" -> beginning.startsWith("ffd8");
      default -> new String(bytes, StandardCharsets.UTF_8).contains("<svg");
    };
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
