package im.zonda.plugins.webhooks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The text of a target's file: lines such as `key = "text"`, with true, false, a whole number or a
/// list of texts in place of the text, and comments after `#`. What it accepts is TOML.
final class TargetText {
  private static final Pattern LINE = Pattern.compile("\\s*([a-z]+(?:-[a-z]+)*)\\s*=\\s*(.*)");
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9}) ?(ms|s|m|h)");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,9}) ?(KiB|MiB|GiB)");

  private final Map<String, Object> values = new LinkedHashMap<>();

  /// Reads a text.
  ///
  /// @param keys the keys that there may be
  /// @throws TargetFormatException with the number of the line that is wrong
  TargetText(String text, Set<String> keys) throws TargetFormatException {
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank() || line.strip().startsWith("#")) {
        continue;
      }
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        throw new TargetFormatException("Line " + number + " is not of the form key = value.");
      }
      String key = matcher.group(1);
      if (!keys.contains(key)) {
        throw new TargetFormatException(
            "Line " + number + ": there is no key " + key + "; there is " + list(keys) + ".");
      }
      if (values.put(key, new Scanner(matcher.group(2), key).value()) != null) {
        throw new TargetFormatException("Line " + number + ": " + key + " is there twice.");
      }
    }
  }

  private static String list(Set<String> words) {
    return String.join(", ", words.stream().sorted().toList());
  }

  /// A text, or null.
  @Nullable String text(String key) throws TargetFormatException {
    Object value = values.get(key);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw new TargetFormatException(key + " must be a text in quotation marks.");
  }

  /// A list of texts, empty without one; one text stands for a list of it.
  List<String> texts(String key) throws TargetFormatException {
    Object value = values.get(key);
    return switch (value) {
      case null -> List.of();
      case String one -> List.of(one);
      case List<?> many -> many.stream().map(String.class::cast).toList();
      default ->
          throw new TargetFormatException(key + " must be a list such as [\"one\", \"two\"].");
    };
  }

  /// True or false; false without a value.
  boolean flag(String key) throws TargetFormatException {
    Object value = values.get(key);
    if (value == null || value instanceof Boolean) {
      return Boolean.TRUE.equals(value);
    }
    throw new TargetFormatException(key + " must be true or false.");
  }

  /// A whole number.
  int number(String key, int usual, int least, int most) throws TargetFormatException {
    Object value = values.getOrDefault(key, (long) usual);
    if (value instanceof Long number && number >= least && number <= most) {
      return number.intValue();
    }
    throw new TargetFormatException(
        key + " must be a whole number from " + least + " to " + most + ".");
  }

  /// A length of time such as `"30s"`.
  Duration duration(String key, Duration usual, Duration least, Duration most)
      throws TargetFormatException {
    String text = text(key);
    if (text == null) {
      return usual;
    }
    Matcher matcher = DURATION.matcher(text);
    if (matcher.matches()) {
      long number = Long.parseLong(matcher.group(1));
      Duration value =
          switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
          };
      if (value.compareTo(least) >= 0 && value.compareTo(most) <= 0) {
        return value;
      }
    }
    throw new TargetFormatException(
        key
            + " must be a duration such as \"30s\", from "
            + words(least)
            + " to "
            + words(most)
            + ".");
  }

  private static String words(Duration time) {
    return time.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  /// A number of bytes such as `"64MiB"`.
  long size(String key, long usual, long least, long most) throws TargetFormatException {
    String text = text(key);
    if (text == null) {
      return usual;
    }
    Matcher matcher = SIZE.matcher(text);
    if (matcher.matches()) {
      long number = Long.parseLong(matcher.group(1));
      long value =
          switch (matcher.group(2)) {
            case "KiB" -> number << 10;
            case "MiB" -> number << 20;
            default -> number << 30;
          };
      if (value >= least && value <= most) {
        return value;
      }
    }
    throw new TargetFormatException(
        key
            + " must be a size such as \"64MiB\", from "
            + (least >> 20)
            + "MiB to "
            + (most >> 30)
            + "GiB.");
  }

  /// Reads one value.
  private static final class Scanner {
    private final String text;
    private final String key;
    private int at;

    Scanner(String text, String key) {
      this.text = text;
      this.key = key;
    }

    Object value() throws TargetFormatException {
      Object value = peek() == '"' ? string() : peek() == '[' ? list() : word();
      char rest = peek();
      if (rest != 0 && rest != '#') {
        throw wrong();
      }
      return value;
    }

    /// The next character that is not white space, or 0.
    private char peek() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      return at < text.length() ? text.charAt(at) : 0;
    }

    private String string() throws TargetFormatException {
      StringBuilder value = new StringBuilder();
      for (at++; at < text.length(); at++) {
        char c = text.charAt(at);
        if (c == '"') {
          at++;
          return value.toString();
        }
        if (c == '\\' && at + 1 < text.length() && "\"\\".indexOf(text.charAt(at + 1)) >= 0) {
          at++;
          c = text.charAt(at);
        } else if (c == '\\') {
          throw wrong();
        }
        value.append(c);
      }
      throw wrong();
    }

    private List<String> list() throws TargetFormatException {
      List<String> values = new ArrayList<>();
      at++;
      while (peek() == '"') {
        values.add(string());
        if (peek() == ',') {
          at++;
        } else if (peek() != ']') {
          throw wrong();
        }
      }
      if (peek() != ']') {
        throw wrong();
      }
      at++;
      return values;
    }

    private Object word() throws TargetFormatException {
      int start = at;
      while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
        at++;
      }
      String word = text.substring(start, at);
      if (word.equals("true") || word.equals("false")) {
        return Boolean.valueOf(word);
      }
      if (!word.matches("[0-9]{1,9}")) {
        throw wrong();
      }
      return Long.valueOf(word);
    }

    private TargetFormatException wrong() {
      return new TargetFormatException(
          "The value of "
              + key
              + " must be in one line: a text in quotation marks, a list of texts in brackets, a"
              + " whole number, true or false.");
    }
  }
}
