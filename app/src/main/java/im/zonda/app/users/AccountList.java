package im.zonda.app.users;

import im.zonda.app.settings.Utf8File;
import im.zonda.app.settings.Utf8File.Line;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Accounts from a file with one `user,password` per line.
///
/// A user is a bare JID or, if the server has one host, a localpart. A value may be in double
/// quotes, in which `""` stands for one quote. Empty lines and lines that begin with `#` are
/// ignored. Invalid lines are reported; all others are used.
///
/// @param rows the valid lines
/// @param problems the errors, each with its line
public record AccountList(List<Row> rows, List<String> problems) {
  /// A line.
  ///
  /// @param line its number, from 1
  public record Row(int line, Jid jid, String password) {
    @Override
    public String toString() {
      return line + ": " + jid; // never the password
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
    List<String> problems = new ArrayList<>();
    Map<Jid, Integer> seen = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String text = lines.get(i).text();
      String line = i == 0 && text.startsWith("\uFEFF") ? text.substring(1) : text;
      int invalid = lines.get(i).column();
      if (invalid > 0) {
        problems.add("line " + (i + 1) + ", column " + invalid + ": not UTF-8");
        continue;
      }
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int number = i + 1;
      try {
        List<String> fields = fields(line);
        if (fields.size() != 2) {
          throw new IllegalArgumentException("expected user,password");
        }
        Jid jid = account(fields.get(0).strip(), hosts);
        Integer before = seen.putIfAbsent(jid, number);
        if (before != null) {
          throw new IllegalArgumentException(jid + " is already in line " + before);
        }
        rows.add(new Row(number, jid, fields.get(1)));
      } catch (IllegalArgumentException e) {
        problems.add("line " + number + ": " + e.getMessage());
      }
    }
    return new AccountList(List.copyOf(rows), List.copyOf(problems));
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
