package im.zonda.app.transfer.erlang;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportBounds;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads terms as Erlang prints them: atoms, numbers, strings, binaries, lists and tuples. Maps are
/// read as lists of pairs. Nothing is run; size and depth are bounded.
public final class TermReader {
  private static final char END = '\0';

  private final String text;
  private int at;
  private int terms;

  private TermReader(String text) {
    this.text = text;
  }

  /// Reads a term.
  ///
  /// @throws BadRecordException if the text is none
  public static Term read(String text) throws BadRecordException {
    if (text.length() > ImportBounds.VALUE_BYTES) {
      throw new BadRecordException("a term is larger than 8 MiB");
    }
    TermReader reader = new TermReader(text);
    Term term = reader.term(0);
    reader.skipSpace();
    if (reader.next() == '.') {
      reader.at++;
    }
    reader.skipSpace();
    if (reader.at < text.length()) {
      throw reader.failure("text after the end of a term");
    }
    return term;
  }

  /// Reads the first elements of a tuple whose text may be cut off after them.
  ///
  /// @throws BadRecordException if it has fewer than `count`
  public static List<Term> head(String text, int count) throws BadRecordException {
    TermReader reader = new TermReader(text);
    List<Term> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      reader.expect(i == 0 ? "{" : ",");
      all.add(reader.term(1));
    }
    return all;
  }

  private BadRecordException failure(String message) {
    return new BadRecordException(message + ", at character " + (at + 1));
  }

  private char next() {
    return at < text.length() ? text.charAt(at) : END;
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private void expect(String wanted) throws BadRecordException {
    skipSpace();
    if (!text.startsWith(wanted, at)) {
      throw failure("`" + wanted + "` expected");
    }
    at += wanted.length();
  }

  private Term term(int depth) throws BadRecordException {
    if (depth > ImportBounds.DEPTH || ++terms > ImportBounds.ENTRIES * 4) {
      throw failure("a term is nested too deep or too long");
    }
    skipSpace();
    char c = next();
    if (c == '[') {
      at++;
      return new Term.Items(terms(']', depth));
    }
    if (c == '{') {
      at++;
      return new Term.Tuple(terms('}', depth));
    }
    if (c == '#') {
      expect("#{");
      return new Term.Items(pairs(depth));
    }
    if (c == '<') {
      return binary();
    }
    if (c == '"') {
      return new Term.Text(decoded(string(), false));
    }
    if (c == '\'') {
      return new Term.Atom(quoted('\''));
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
      return new Term.Numeral(word("-+."));
    }
    if (c >= 'a' && c <= 'z') {
      return new Term.Atom(word("@"));
    }
    throw failure(c == END ? "a term ends early" : "a term expected");
  }

  private List<Term> terms(char end, int depth) throws BadRecordException {
    List<Term> all = new ArrayList<>();
    skipSpace();
    while (next() != end) {
      if (!all.isEmpty()) {
        expect(",");
      }
      all.add(term(depth + 1));
      skipSpace();
    }
    at++;
    return all;
  }

  private List<Term> pairs(int depth) throws BadRecordException {
    List<Term> all = new ArrayList<>();
    skipSpace();
    while (next() != '}') {
      if (!all.isEmpty()) {
        expect(",");
      }
      Term key = term(depth + 1);
      expect("=>");
      all.add(new Term.Tuple(List.of(key, term(depth + 1))));
      skipSpace();
    }
    at++;
    return all;
  }

  private String word(String more) throws BadRecordException {
    int from = at;
    while (at < text.length()
        && (isWordCharacter(text.charAt(at)) || more.indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    if (at - from > 255) {
      throw failure("a word is too long");
    }
    return text.substring(from, at);
  }

  private static boolean isWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  /// Strings that follow each other are one.
  private String string() throws BadRecordException {
    StringBuilder all = new StringBuilder();
    do {
      all.append(quoted('"'));
      skipSpace();
    } while (next() == '"');
    return all.toString();
  }

  private String quoted(char quote) throws BadRecordException {
    at++;
    StringBuilder content = new StringBuilder();
    while (next() != quote) {
      if (at >= text.length()) {
        throw failure("a text does not end");
      }
      char c = text.charAt(at++);
      if (c == '\\') {
        escape(content);
      } else {
        content.append(c);
      }
    }
    at++;
    return content.toString();
  }

  private void escape(StringBuilder content) throws BadRecordException {
    char c = next();
    at++;
    switch (c) {
      case 'b' -> content.append('\b');
      case 'd' -> content.append('\u007F');
      case 'e' -> content.append('\u001B');
      case 'f' -> content.append('\f');
      case 'n' -> content.append('\n');
      case 'r' -> content.append('\r');
      case 's' -> content.append(' ');
      case 't' -> content.append('\t');
      case 'v' -> content.append('\u000B');
      case 'x' -> {
        int end = text.indexOf('}', at);
        if (next() != '{' || end < 0 || end - at > 9) {
          throw failure("an escape is damaged");
        }
        content.appendCodePoint(codePoint(text.substring(at + 1, end), 16));
        at = end + 1;
      }
      default -> {
        if (c >= '0' && c <= '7') {
          int from = at - 1;
          while (at - from < 3 && next() >= '0' && next() <= '7') {
            at++;
          }
          content.appendCodePoint(codePoint(text.substring(from, at), 8));
        } else {
          content.append(c);
        }
      }
    }
  }

  private int codePoint(String digits, int radix) throws BadRecordException {
    try {
      int value = Integer.parseInt(digits, radix);
      if (Character.isValidCodePoint(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw failure("an escape is not a character");
  }

  /// Reads a binary: `<<"text">>`, whose characters are bytes, `<<"text"/utf8>>`, or numbers.
  private Term binary() throws BadRecordException {
    expect("<<");
    skipSpace();
    if (next() == '"') {
      String content = string();
      boolean utf8 = text.startsWith("/utf8", at);
      at += utf8 ? "/utf8".length() : 0;
      expect(">>");
      return new Term.Text(decoded(content, utf8));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (!text.startsWith(">>", at)) {
      if (bytes.size() > 0) {
        expect(",");
        skipSpace();
      }
      int value = codePoint(word(""), 10);
      if (value > 0xFF) {
        throw failure("a byte is larger than 255");
      }
      bytes.write(value);
      skipSpace();
    }
    expect(">>");
    return new Term.Text(decoded(bytes.toString(StandardCharsets.ISO_8859_1), false));
  }

  /// Characters that are bytes of a text in UTF-8; those that cannot be are the text itself.
  private String decoded(String content, boolean utf8) throws BadRecordException {
    if (utf8 || content.chars().anyMatch(c -> c > 0xFF)) {
      return content;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(content.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (CharacterCodingException e) {
      return content;
    }
  }
}
