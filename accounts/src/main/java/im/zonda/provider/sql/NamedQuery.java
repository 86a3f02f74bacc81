package im.zonda.provider.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A query with named parameters, such as `:local`, as JDBC takes it: with a question mark in place
/// of each. Values are never part of its text.
///
/// What is in quotes or in a comment is no parameter, and neither is a cast (`::text`).
///
/// @param sql the query for JDBC
/// @param parameters the names, in the order of the question marks
public record NamedQuery(String sql, List<String> parameters) {
  private static final int MOST_CHARS = 16_384;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*");
  private static final Pattern DOLLAR_QUOTE = Pattern.compile("\\$(?:[A-Za-z_]\\w*)?\\$");

  /// Copies the list.
  public NamedQuery {
    parameters = List.copyOf(parameters);
  }

  /// Reads a query.
  ///
  /// @param known the names that may be used
  /// @throws IllegalArgumentException with a sentence for the administrator if it cannot be used
  public static NamedQuery parse(String text, Set<String> known) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("must be set");
    }
    if (text.length() > MOST_CHARS) {
      throw new IllegalArgumentException("is longer than " + MOST_CHARS + " characters");
    }
    Parser parser = new Parser(text.strip(), known);
    parser.run();
    return new NamedQuery(parser.out.toString(), parser.names);
  }

  private static final class Parser {
    private final String text;
    private final Set<String> known;
    private final StringBuilder out = new StringBuilder();
    private final List<String> names = new ArrayList<>();
    private int at;

    Parser(String text, Set<String> known) {
      this.text = text;
      this.known = known;
    }

    void run() {
      while (at < text.length()) {
        char c = text.charAt(at);
        switch (c) {
          case '\'', '"', '`' -> copyTo(quoteEnd(c));
          case '$' -> copyTo(dollarEnd());
          case '-' -> copyTo(text.startsWith("--", at) ? lineEnd() : at + 1);
          case '/' -> copyTo(text.startsWith("/*", at) ? commentEnd() : at + 1);
          case ':' -> colon();
          case '?' ->
              throw new IllegalArgumentException(
                  "has a question mark outside of quotes; parameters are " + names(known));
          case ';' -> semicolon();
          default -> copyTo(at + 1);
        }
      }
    }

    private void copyTo(int end) {
      out.append(text, at, end);
      at = end;
    }

    private void colon() {
      if (text.startsWith("::", at) || text.startsWith(":=", at)) {
        copyTo(at + 2);
        return;
      }
      Matcher name = NAME.matcher(text).region(at + 1, text.length());
      if (!name.lookingAt()) {
        copyTo(at + 1); // such as in array[1:2]
        return;
      }
      if (!known.contains(name.group())) {
        throw new IllegalArgumentException(
            "has the parameter :" + name.group() + "; known are " + names(known));
      }
      names.add(name.group());
      out.append('?');
      at = name.end();
    }

    private static String names(Set<String> known) {
      return String.join(" and ", known.stream().sorted().map(each -> ":" + each).toList());
    }

    private void semicolon() {
      if (at < text.length() - 1) {
        throw new IllegalArgumentException("has more than one statement");
      }
      at++;
    }

    /// After the quote that ends it; two quotes are one of the text.
    private int quoteEnd(char quote) {
      int end = text.indexOf(quote, at + 1);
      if (end < 0) {
        throw new IllegalArgumentException("has a quote that does not end");
      }
      return end + 1; // a doubled quote begins the next part
    }

    private int dollarEnd() {
      boolean within = at > 0 && Character.isJavaIdentifierPart(text.charAt(at - 1));
      Matcher start = DOLLAR_QUOTE.matcher(text).region(at, text.length());
      if (within || !start.lookingAt()) {
        return at + 1;
      }
      int end = text.indexOf(start.group(), start.end());
      if (end < 0) {
        throw new IllegalArgumentException("has a quote that does not end");
      }
      return end + start.group().length();
    }

    private int lineEnd() {
      int end = text.indexOf('\n', at);
      return end < 0 ? text.length() : end;
    }

    /// After a comment, which may have others in it.
    private int commentEnd() {
      int depth = 0;
      int i = at;
      while (i < text.length()) {
        if (text.startsWith("/*", i)) {
          depth++;
          i += 2;
        } else if (text.startsWith("*/", i)) {
          depth--;
          i += 2;
          if (depth == 0) {
            return i;
          }
        } else {
          i++;
        }
      }
      throw new IllegalArgumentException("has a comment that does not end");
    }
  }
}
