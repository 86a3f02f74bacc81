package im.zonda.http.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/// A language of the pages.
///
/// @param code such as `de`
/// @param texts the texts by key
public record Language(String code, Properties texts) {
  /// The languages, the one for everyone else first.
  public static final List<String> CODES = List.of("en", "de", "es", "fr", "it");

  /// A language that a browser accepts.
  private record Accepted(String code, double weight) {}

  /// Reads the texts of a language.
  ///
  /// @param beside a class in the package of which the files are
  /// @param files what the names of the files begin with, before the code
  public static Language read(Class<?> beside, List<String> files, String code) {
    Properties texts = new Properties();
    for (String begin : files) {
      String file = begin + code + ".properties";
      try (InputStream in = beside.getResourceAsStream(file)) {
        if (in == null) {
          throw new IllegalArgumentException("no texts in " + file);
        }
        texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(file, e);
      }
    }
    return new Language(code, texts);
  }

  /// The text of a key, in which `{0}` and so on stand for the values.
  public String text(String key, String... values) {
    String text = texts.getProperty(key);
    if (text == null) {
      throw new IllegalArgumentException("no text " + key + " in " + code);
    }
    for (int i = 0; i < values.length; i++) {
      text = text.replace("{" + i + "}", values[i]);
    }
    return text;
  }

  /// Whether there is a text of a key.
  public boolean has(String key) {
    return texts.containsKey(key);
  }

  /// The keys that begin with a prefix, in order.
  public List<String> keys(String prefix) {
    return texts.stringPropertyNames().stream()
        .filter(key -> key.startsWith(prefix))
        .sorted()
        .toList();
  }

  /// Chooses the code of a language.
  ///
  /// @param header the header field `Accept-Language` (RFC 9110, section 12.5.4), or null
  public static String choose(@Nullable String header) {
    List<Accepted> accepted = new ArrayList<>();
    String[] ranges = header == null ? new String[0] : header.split(",", 32);
    for (String range : ranges) {
      String[] parts = range.strip().split(";", 2);
      String code = parts[0].strip().split("-", 2)[0].toLowerCase(Locale.ROOT);
      accepted.add(new Accepted(code, parts.length == 1 ? 1 : weight(parts[1])));
    }
    return accepted.stream()
        .filter(each -> each.weight > 0 && CODES.contains(each.code))
        .max(Comparator.comparingDouble(Accepted::weight))
        .map(Accepted::code)
        .orElse(CODES.getFirst());
  }

  private static double weight(String parameter) {
    String text = parameter.strip();
    try {
      return text.startsWith("q=") ? Double.parseDouble(text.substring(2)) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
