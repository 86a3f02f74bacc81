package im.zonda.app.users;

import im.zonda.app.settings.toml.Utf8File;
import im.zonda.app.settings.toml.Utf8File.Line;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Accounts from a file with one `user,password` per line.
///
/// A user is a bare JID or, if the server has one host, a localpart. A value may be in double
/// quotes, in which `""` stands for one quote. Empty lines and lines that begin with `#` are
/// ignored; a line with the names of the columns is an error.
///
/// @param rows the valid lines
/// @param problems the errors, each with its line
public record AccountList(List<Row> rows, List<Problem> problems) {
  private static final Set<String> USER_HEADINGS =
      Set.of("user", "username", "name", "account", "jid", "login", "email");
  private static final Set<String> PASSWORD_HEADINGS =
      Set.of("password", "passwd", "pass", "passwort");

  /// A line.
  ///
  /// @param line its number, from 1
  public record Row(int line, Jid jid, String password) {
    @Override
    public String toString() {
      return line + ": " + jid; // never the password
    }

    /// The line, as it is read.
    public String text() {
      return quoted(jid.toString()) + "," + quoted(password);
    }

    private static String quoted(String value) {
      return '"' + value.replace("\"", "\"\"") + '"';
    }
  }

  /// A line that is wrong.
  ///
  /// @param line its number, from 1
  /// @param column where, from 1; 0 if all of it is
  /// @param text what is wrong
  public record Problem(int line, int column, String text) {
    @Override
    public String toString() {
      return "line " + line + (column > 0 ? ", column " + column : "") + ": " + text;
    }
  }

  /// Reads a file for a server with these hosts. A line that is not in UTF-8 is an invalid one.
  public static AccountList read(Path file, List<String> hosts) throws IOException {
    return ofLines(Utf8File.lines(file), hosts);
  }

  /// Reads the lines of a file for a server with these hosts.
  static AccountList read(List<String> lines, List<String> hosts) {
    return ofLines(lines.stream().map(line -> new Line(line, 0)).toList(), hosts);
  }

  private static AccountList ofLines(List<Line> lines, List<String> hosts) {
    List<Row> rows = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    Map<Jid, Integer> seen = new HashMap<>();
    boolean first = true;
    for (int i = 0; i < lines.size(); i++) {
      String text = lines.get(i).text();
      String line = i == 0 && text.startsWith("\uFEFF") ? text.substring(1) : text;
      int invalid = lines.get(i).column();
      if (invalid > 0) {
        problems.add(new Problem(i + 1, invalid, "not UTF-8"));
        continue;
      }
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int number = i + 1;
      try {
        Row row = row(number, line, hosts, first);
        Integer before = seen.putIfAbsent(row.jid(), number);
        if (before != null) {
          throw new IllegalArgumentException(row.jid() + " is already in line " + before);
        }
        rows.add(row);
      } catch (IllegalArgumentException e) {
        problems.add(new Problem(number, 0, String.valueOf(e.getMessage())));
      }
      first = false;
    }
    return new AccountList(List.copyOf(rows), List.copyOf(problems));
  }

  private static Row row(int number, String line, List<String> hosts, boolean first) {
    if (first && isHeading(line)) {
      throw new IllegalArgumentException(
          "these are the names of columns, not an account; remove the line");
    }
    List<String> fields = fields(line);
    String user = fields.getFirst().strip();
    for (String separator : List.of(";", "\t")) {
      if (user.contains(separator) && !line.startsWith("\"")) {
        throw new IllegalArgumentException(
            "separated by "
                + (separator.equals(";") ? "a semicolon" : "a tab")
                + "; expected a comma: user,password");
      }
    }
    if (fields.size() > 2) {
      throw new IllegalArgumentException(
          fields.size()
              + " columns; expected two: user,password (a password with a comma must be in double"
              + " quotes)");
    }
    Jid jid = account(user, hosts);
    if (fields.size() < 2 || fields.get(1).isEmpty()) {
      throw new IllegalArgumentException(jid + " has no password; expected user,password");
    }
    Passwords.check(fields.get(1));
    return new Row(number, jid, fields.get(1));
  }

  /// Whether a line names columns: one the user, another one the password.
  private static boolean isHeading(String line) {
    List<String> words =
        Stream.of(line.split("[,;\t]", -1))
            .map(word -> word.toLowerCase(Locale.ROOT).replaceAll("[\"' _-]", ""))
            .toList();
    return words.stream().anyMatch(USER_HEADINGS::contains)
        && words.stream().anyMatch(PASSWORD_HEADINGS::contains);
  }

  /// Parses the name of an account: a bare JID or, if there is one host, a localpart.
  ///
  /// @throws IllegalArgumentException if it is not an account of one of the hosts
  public static Jid account(String user, List<String> hosts) {
    Jid jid;
    try {
      if (user.indexOf('@') >= 0) {
        jid = Jid.of(user);
      } else if (hosts.size() == 1) {
        jid = Jid.of(user, hosts.getFirst(), null);
      } else {
        throw new IllegalArgumentException(
            "\""
                + user
                + "\" has no domain; the hosts of this server are "
                + String.join(", ", hosts));
      }
    } catch (JidFormatException e) {
      throw new IllegalArgumentException(
          "\"" + user + "\" is not an address: " + e.getMessage(), e);
    }
    if (jid.local() == null || jid.resource() != null) {
      throw new IllegalArgumentException(
          "\"" + user + "\" is not an account; expected user@" + hosts.getFirst());
    }
    if (!Set.copyOf(hosts).contains(jid.domain())) {
      throw new IllegalArgumentException(
          jid.domain()
              + " is not a host of this server; its hosts are "
              + String.join(", ", hosts));
    }
    return jid;
  }

  private static List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    boolean closed = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quoted) {
        if (c != '"') {
          field.append(c);
        } else if (i + 1 < line.length() && line.charAt(i + 1) == '"') {
          field.append('"');
          i++;
        } else {
          quoted = false;
          closed = true;
        }
      } else if (c == ',') {
        fields.add(field.toString());
        field.setLength(0);
        closed = false;
      } else if (c == '"' && field.isEmpty() && !closed) {
        quoted = true;
      } else if (closed) {
        throw new IllegalArgumentException("text after a closing quote");
      } else {
        field.append(c);
      }
    }
    if (quoted) {
      throw new IllegalArgumentException("closing quote is missing");
    }
    fields.add(field.toString());
    return fields;
  }
}
