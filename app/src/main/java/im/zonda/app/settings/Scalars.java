package im.zonda.app.settings;

import im.zonda.app.settings.toml.TomlString;
import im.zonda.config.annotation.Setting.Form;
import im.zonda.config.annotation.UnitText;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Converts single values from TOML to the type of the record component, and back.
final class Scalars {
  private static final Pattern PER_HOUR = Pattern.compile("(\\d{1,9})/h");
  private static final Pattern ADDRESS =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([^\\[\\]:]+)):(\\d{1,5})");

  private static final Pattern DATABASE =
      Pattern.compile(
          "sqlite:\\S.*"
              + "|(?:postgresql|mariadb)://(?:\\[[0-9A-Fa-f:]+]|[A-Za-z0-9._-]+)(?::\\d{1,5})?"
              + "/[A-Za-z0-9_$-]+");

  private static final String DIRECT_TLS = "tls://";

  private Scalars() {}

  /// The value of a key, or null if the text is not valid.
  static @Nullable Object read(Keys.Key key, Object written, boolean variable, Path folder) {
    Class<?> type = key.type();
    Object value = variable ? fromVariable(type, written) : written;
    if (type == boolean.class) {
      return value instanceof Boolean ? value : null;
    }
    if (isWholeNumber(type)) {
      Long number = number(key.form(), value);
      if (number == null || number < key.min() || number > key.max()) {
        return null;
      }
      return type == long.class ? number : (Object) Math.toIntExact(number);
    }
    if (type == Duration.class) {
      Long millis = number(Form.MILLIS, value);
      return millis == null || millis < key.min() || millis > key.max()
          ? null
          : Duration.ofMillis(millis);
    }
    if (!(value instanceof String text)) {
      return null;
    }
    return type.isEnum() ? constant(type, text) : text(key, text, folder);
  }

  /// Whether values of the type are whole numbers; an `Integer` may be unset.
  static boolean isWholeNumber(Class<?> type) {
    return type == int.class || type == long.class || type == Integer.class;
  }

  /// Parses a text, in a list or on its own; null if it is not valid.
  static @Nullable Object text(Keys.Key key, String text, Path folder) {
    if (key.type() == Path.class) {
      try {
        return text.isEmpty() ? null : folder.resolve(text).normalize();
      } catch (InvalidPathException e) {
        return null;
      }
    }
    return switch (key.form()) {
      case ADDRESS -> isAddress(text) ? text : null;
      case DOMAIN -> domain(text);
      case DOMAIN_PATTERN -> domainPattern(text);
      case ROUTE -> isRoute(text) ? text : null;
      case URI -> isUri(text) ? text : null;
      case DATABASE -> isDatabase(text) ? text : null;
      case MODULE, SECRET, PLAIN, BYTES, MILLIS, PER_HOUR -> text;
    };
  }

  /// Whether it is the URL of a database.
  static boolean isDatabase(String text) {
    return DATABASE.matcher(text).matches();
  }

  /// The value as TOML.
  static String write(Keys.Key key, Object value) {
    return switch (key.form()) {
      case MILLIS -> '"' + UnitText.of(Duration.ofMillis(((Number) value).longValue())) + '"';
      case PER_HOUR -> ((Number) value).longValue() == 0 ? "\"off\"" : "\"" + value + "/h\"";
      case BYTES -> bytes(((Number) value).longValue());
      case SECRET -> "\"(not shown)\"";
      case PLAIN, ADDRESS, DOMAIN, DOMAIN_PATTERN, ROUTE, URI, DATABASE, MODULE ->
          switch (value) {
            case Boolean truth -> truth.toString();
            case Number number -> number.toString();
            case Duration duration -> '"' + UnitText.of(duration) + '"';
            case Enum<?> constant -> '"' + word(constant) + '"';
            default -> TomlString.quoted(value.toString());
          };
    };
  }

  /// The word for an enum's constant.
  static String word(Object constant) {
    return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String bytes(long bytes) {
    if (bytes != 0 && bytes % (1 << 20) == 0) {
      return "\"" + (bytes >> 20) + "MiB\"";
    }
    return bytes != 0 && bytes % 1_024 == 0 ? "\"" + (bytes >> 10) + "KiB\"" : Long.toString(bytes);
  }

  private static Object fromVariable(Class<?> type, Object written) {
    String text = written.toString();
    if (type == boolean.class) {
      return switch (text) {
        case "true" -> true;
        case "false" -> false;
        default -> text;
      };
    }
    return isWholeNumber(type) && text.matches("\\d{1,18}") ? (Object) Long.valueOf(text) : text;
  }

  static @Nullable Long number(Form form, Object value) {
    if (value instanceof Long number) {
      return form == Form.MILLIS || form == Form.PER_HOUR ? null : number;
    }
    if (!(value instanceof String text)) {
      return null;
    }
    return switch (form) {
      case BYTES -> UnitText.bytes(text);
      case MILLIS -> UnitText.millis(text);
      case PER_HOUR -> perHour(text);
      case PLAIN, ADDRESS, DOMAIN, DOMAIN_PATTERN, ROUTE, URI, DATABASE, SECRET, MODULE -> null;
    };
  }

  private static @Nullable Long perHour(String text) {
    if (text.equals("off")) {
      return 0L;
    }
    Matcher matcher = PER_HOUR.matcher(text);
    // "0/h" is ambiguous: it could mean "none" or "no limit".
    return matcher.matches() && Long.parseLong(matcher.group(1)) > 0
        ? Long.valueOf(matcher.group(1))
        : null;
  }

  private static @Nullable Object constant(Class<?> type, String text) {
    for (Object constant : type.getEnumConstants()) {
      if (word(constant).equals(text)) {
        return constant;
      }
    }
    return null;
  }

  private static boolean isAddress(String text) {
    Matcher matcher = ADDRESS.matcher(text);
    return matcher.matches() && Integer.parseInt(matcher.group(3)) <= 65_535;
  }

  private static boolean isRoute(String text) {
    String address = text.startsWith(DIRECT_TLS) ? text.substring(DIRECT_TLS.length()) : text;
    return isAddress(address) && !address.endsWith(":0");
  }

  /// The domain, `*.` and a domain, or `*`, prepared; null if it is none of them.
  static @Nullable String domainPattern(String text) {
    if (text.equals("*")) {
      return text;
    }
    String domain = domain(text.startsWith("*.") ? text.substring(2) : text);
    return domain == null || !text.startsWith("*.") ? domain : "*." + domain;
  }

  /// The domain prepared for comparison (RFC 7622); null if it is none.
  static @Nullable String domain(String text) {
    try {
      return text.isEmpty() || text.startsWith("@") ? null : Jid.of(null, text, null).domain();
    } catch (JidFormatException e) {
      return null;
    }
  }

  private static boolean isUri(String text) {
    try {
      return new URI(text).isAbsolute();
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
