package im.zonda.app.settings.edit;

import java.util.ArrayList;
import java.util.List;

/// Finds the places of sections and keys in a text that is valid TOML.
final class TomlScan {
  /// A section.
  ///
  /// @param path the names of its header; empty for what is before the first header
  /// @param array whether it is an element of an array of tables
  /// @param end where its last key ends, or its header if it has none, after the line end
  record Section(List<String> path, boolean array, int end) {}

  /// A key with its value.
  ///
  /// @param section the section in which it is written
  /// @param path its names, with those of the section
  /// @param start where its first name begins
  /// @param value where the value begins
  /// @param valueEnd where the value ends
  /// @param end where its line ends, after the line end
  record Entry(Section section, List<String> path, int start, int value, int valueEnd, int end) {}

  private final String text;
  private final List<Section> sections = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  private int at;

  private TomlScan(String text) {
    this.text = text;
  }

  /// Scans a text.
  static TomlScan of(String text) {
    TomlScan scan = new TomlScan(text);
    scan.run();
    return scan;
  }

  /// The sections in their order; the first is that before all headers.
  List<Section> sections() {
    return sections;
  }

  /// The keys in their order.
  List<Entry> entries() {
    return entries;
  }

  private void run() {
    sections.add(new Section(List.of(), false, 0));
    for (skipBlank(); at < text.length(); skipBlank()) {
      if (text.charAt(at) == '[') {
        header();
      } else {
        entry();
      }
    }
  }

  private void header() {
    boolean array = text.startsWith("[[", at);
    at += array ? 2 : 1;
    List<String> path = names();
    skipLine();
    sections.add(new Section(path, array, at));
  }

  private void entry() {
    int start = at;
    Section section = sections.getLast();
    List<String> path = new ArrayList<>(section.path());
    path.addAll(names());
    at++; // the equals sign
    skipSpaces();
    int value = at;
    skipValue();
    int valueEnd = at;
    skipLine();
    sections.set(sections.size() - 1, new Section(section.path(), section.array(), at));
    entries.add(new Entry(section, List.copyOf(path), start, value, valueEnd, at));
  }

  /// The names of a key, up to what follows them.
  private List<String> names() {
    List<String> names = new ArrayList<>();
    while (at < text.length()) {
      skipSpaces();
      int begin = at;
      char first = at < text.length() ? text.charAt(at) : '\n';
      if (first == '"' || first == '\'') {
        skipString();
        names.add(unquoted(text.substring(begin + 1, Math.max(begin + 1, at - 1)), first));
      } else {
        while (at < text.length() && isNameCharacter(text.charAt(at))) {
          at++;
        }
        names.add(text.substring(begin, at));
      }
      skipSpaces();
      if (at >= text.length() || text.charAt(at) != '.') {
        break;
      }
      at++;
    }
    return List.copyOf(names);
  }

  private static String unquoted(String inner, char quote) {
    return quote == '"' ? inner.replace("\\\"", "\"").replace("\\\\", "\\") : inner;
  }

  private static boolean isNameCharacter(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-';
  }

  private void skipValue() {
    char first = at < text.length() ? text.charAt(at) : '\n';
    if (first == '"' || first == '\'') {
      skipString();
    } else if (first == '[' || first == '{') {
      skipNested();
    } else {
      while (at < text.length() && "\n#".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      while (Character.isWhitespace(text.charAt(at - 1))) {
        at--;
      }
    }
  }

  private void skipNested() {
    int depth = 0;
    do {
      char c = text.charAt(at);
      if (c == '"' || c == '\'') {
        skipString();
      } else if (c == '#') {
        skipLine();
      } else {
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        at++;
      }
    } while (depth > 0 && at < text.length());
  }

  private void skipString() {
    char quote = text.charAt(at);
    String three = String.valueOf(quote).repeat(3);
    boolean many = text.startsWith(three, at);
    at += many ? 3 : 1;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\\' && quote == '"') {
        at += 2;
      } else if (many ? text.startsWith(three, at) : c == quote) {
        at += many ? 3 : 1;
        while (many && at < text.length() && text.charAt(at) == quote) {
          at++; // quotes before the end belong to the string
        }
        return;
      } else {
        at++;
      }
    }
  }

  private void skipSpaces() {
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
  }

  private void skipLine() {
    int end = text.indexOf('\n', at);
    at = end < 0 ? text.length() : end + 1;
  }

  /// Skips what is between sections and keys: white space and comments.
  private void skipBlank() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#') {
        skipLine();
      } else if (Character.isWhitespace(c)) {
        at++;
      } else {
        return;
      }
    }
  }
}
