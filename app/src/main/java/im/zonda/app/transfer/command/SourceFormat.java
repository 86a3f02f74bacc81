package im.zonda.app.transfer.command;

import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.portable.PortableSource;
import im.zonda.app.transfer.prosody.ProsodySource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The formats from which accounts can be imported.
enum SourceFormat {
  XEP_0227,
  PROSODY;

  /// The name on the command line.
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The format with that name.
  ///
  /// @throws IllegalArgumentException if there is none
  static SourceFormat ofWord(String word) {
    for (SourceFormat each : values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "unknown format \"" + word + "\"; the formats are " + words());
  }

  private static String words() {
    return Arrays.stream(values()).map(SourceFormat::word).collect(Collectors.joining(", "));
  }

  /// Opens a source.
  ///
  /// @param format the format, or null to recognise it
  /// @throws IllegalArgumentException if the format is not recognised
  static ImportSource open(String source, @Nullable SourceFormat format, InstantSource clock)
      throws IOException {
    Path path = Path.of(source);
    if (!Files.exists(path)) {
      throw new IllegalArgumentException("there is no file or folder " + path);
    }
    SourceFormat found = format == null ? recognise(path) : format;
    return switch (found) {
      case XEP_0227 -> new PortableSource(path, clock);
      case PROSODY -> ProsodySource.ofFolder(path, clock);
    };
  }

  private static SourceFormat recognise(Path path) throws IOException {
    if (PortableSource.recognises(path)) {
      return XEP_0227;
    }
    if (ProsodySource.recognises(path)) {
      return PROSODY;
    }
    throw new IllegalArgumentException(
        "the format of " + path + " is not recognised; give it with --format: " + words());
  }
}
