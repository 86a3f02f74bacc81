package im.zonda.module.upload;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Media types of files, without their parameters, and what browsers may do with them.
final class MediaTypes {
  /// The type of a file without one.
  static final String UNKNOWN = "application/octet-stream";

  private static final Pattern TYPE =
      Pattern.compile("[a-z0-9!#$&^_+-][a-z0-9.!#$&^_+-]*/[a-z0-9!#$&^_+-][a-z0-9.!#$&^_+-]*");
  private static final int MAX_LENGTH = 127;

  /// Pictures, sound and video, none of which a browser runs. SVG is not among them: it may have
  /// scripts.
  private static final Set<String> SHOWN =
      Set.of(
          "image/apng",
          "image/avif",
          "image/bmp",
          "image/gif",
          "image/heic",
          "image/heif",
          "image/jpeg",
          "image/jxl",
          "image/png",
          "image/webp",
          "audio/aac",
          "audio/amr",
          "audio/flac",
          "audio/mp4",
          "audio/mpeg",
          "audio/ogg",
          "audio/opus",
          "audio/wav",
          "audio/webm",
          "audio/x-m4a",
          "audio/x-wav",
          "video/3gpp",
          "video/mp4",
          "video/mpeg",
          "video/ogg",
          "video/quicktime",
          "video/webm");

  /// Types of documents that browsers run; others end with `+xml` or contain `script` or `html`.
  private static final Set<String> RUN =
      Set.of("text/xml", "application/xml", "text/xsl", "text/css", "multipart/x-mixed-replace");

  private MediaTypes() {}

  /// The type in lower case, without parameters; null if it is none.
  static @Nullable String read(String text) {
    int end = text.indexOf(';');
    String type = (end < 0 ? text : text.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    return type.length() <= MAX_LENGTH && TYPE.matcher(type).matches() ? type : null;
  }

  /// Whether a browser may show it.
  static boolean isShown(String type) {
    return SHOWN.contains(type);
  }

  /// The type with which a file is served.
  static String served(String type) {
    boolean runs =
        RUN.contains(type)
            || type.endsWith("+xml")
            || type.contains("script")
            || type.contains("html");
    return runs ? UNKNOWN : type;
  }
}
