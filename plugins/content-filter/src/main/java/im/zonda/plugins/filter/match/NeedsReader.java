package im.zonda.plugins.filter.match;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads from a pattern in the syntax of RE2 what every text has that it matches. It understands
/// what is common, and knows less of the rest; whether the pattern is valid, RE2 says.
final class NeedsReader {
  /// The deepest groups.
  private static final int MOST_DEPTH = 100;

  /// An open group: its branches that are complete, and the parts of the last branch.
  private static final class Group {
    @Nullable Needs branches;
    List<Needs> parts = new ArrayList<>();

    void endBranch() {
      Needs branch = joined(parts);
      branches = branches == null ? branch : branches.or(branch);
      parts = new ArrayList<>();
    }

    // Neighbours that are certain become one text before it is decided which text is the best.
    private static Needs joined(List<Needs> parts) {
      Needs all = Needs.NOTHING;
      Needs certain = Needs.NOTHING;
      for (Needs part : parts) {
        if (part.exact() != null) {
          certain = certain.then(part);
        } else {
          all = all.then(certain).then(part);
          certain = Needs.NOTHING;
        }
      }
      return all.then(certain);
    }
  }

  private final String pattern;
  private final Deque<Group> groups = new ArrayDeque<>();
  private int at;

  private NeedsReader(String pattern) {
    this.pattern = pattern;
  }

  /// Reads a pattern.
  ///
  /// @throws IllegalArgumentException if its groups are too deep
  static Needs read(String pattern) {
    return new NeedsReader(pattern).run();
  }

  private Needs run() {
    groups.push(new Group());
    while (at < pattern.length()) {
      readNext();
    }
    while (groups.size() > 1) { // RE2 will refuse it
      endGroup();
    }
    return result(groups.element());
  }

  private static Needs result(Group group) {
    group.endBranch();
    Needs all = group.branches;
    return all == null ? Needs.NOTHING : all;
  }

  private void readNext() {
    int codePoint = pattern.codePointAt(at);
    switch (codePoint) {
      case '(' -> beginGroup();
      case ')' -> {
        at++;
        if (groups.size() > 1) {
          endGroup();
        }
      }
      case '|' -> {
        at++;
        groups.element().endBranch();
      }
      case '[' -> readClass();
      case '\\' -> readEscape();
      case '.' -> add(Needs.ofAny(false, 1), at + 1);
      case '^', '$' -> add(Needs.NOTHING, at + 1);
      case '*' -> repeat(0, -1, at + 1);
      case '+' -> repeat(1, -1, at + 1);
      case '?' -> repeat(0, 1, at + 1);
      case '{' -> readCounts();
      default -> add(Needs.ofChar(codePoint), at + Character.charCount(codePoint));
    }
  }

  private void add(Needs part, int next) {
    groups.element().parts.add(part);
    at = next;
  }

  private void repeat(int least, int most, int next) {
    List<Needs> parts = groups.element().parts;
    if (!parts.isEmpty()) {
      parts.add(parts.removeLast().repeated(least, most));
    }
    at = next;
    if (at < pattern.length() && pattern.charAt(at) == '?') { // as few as possible
      at++;
    }
  }

  // A brace that is no count stands for itself.
  private void readCounts() {
    int end = pattern.indexOf('}', at);
    String inner = end < 0 ? "" : pattern.substring(at + 1, end);
    if (!inner.matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
      add(Needs.ofChar('{'), at + 1);
      return;
    }
    int comma = inner.indexOf(',');
    int least = Integer.parseInt(comma < 0 ? inner : inner.substring(0, comma));
    String last = comma < 0 ? inner : inner.substring(comma + 1);
    repeat(least, last.isEmpty() ? -1 : Integer.parseInt(last), end + 1);
  }

  private void beginGroup() {
    if (groups.size() > MOST_DEPTH) {
      throw new IllegalArgumentException("the groups of a pattern are too deep");
    }
    at++;
    if (at < pattern.length() && pattern.charAt(at) == '?') {
      int end = at;
      while (end < pattern.length() && ":>)".indexOf(pattern.charAt(end)) < 0) {
        end++;
      }
      boolean isFlags = end < pattern.length() && pattern.charAt(end) == ')';
      at = Math.min(end + 1, pattern.length());
      if (isFlags) {
        groups.element().parts.add(Needs.NOTHING);
        return;
      }
    }
    groups.push(new Group());
  }

  private void endGroup() {
    Needs all = result(groups.pop());
    groups.element().parts.add(all);
  }

  private void readClass() {
    int end = at + 1;
    if (end < pattern.length() && pattern.charAt(end) == '^') {
      end++;
    }
    if (end < pattern.length() && pattern.charAt(end) == ']') {
      end++;
    }
    while (end < pattern.length() && pattern.charAt(end) != ']') {
      int named = pattern.startsWith("[:", end) ? pattern.indexOf(":]", end + 2) : -1;
      if (named >= 0) {
        end = named + 2;
      } else {
        end += pattern.charAt(end) == '\\' ? 2 : 1;
      }
    }
    String whole = pattern.substring(at, Math.min(end + 1, pattern.length()));
    boolean isDigit = whole.matches("\\[[0-9-]*[0-9]\\]|\\[\\\\d\\]|\\[\\[:digit:\\]\\]");
    add(Needs.ofAny(isDigit, 1), Math.min(end + 1, pattern.length()));
  }

  private void readEscape() {
    if (at + 1 == pattern.length()) {
      at++;
      return;
    }
    int escaped = pattern.codePointAt(at + 1);
    int next = at + 1 + Character.charCount(escaped);
    switch (escaped) {
      case 'd' -> add(Needs.ofAny(true, 1), next);
      case 'D', 's', 'S', 'w', 'W', 'C' -> add(Needs.ofAny(false, 1), next);
      case 'b', 'B', 'A', 'z' -> add(Needs.NOTHING, next);
      case 'Q' -> readQuoted(next);
      case 'p', 'P' -> add(Needs.ofAny(false, 1), afterBraces(next, 1));
      case 'x' -> add(Needs.ofAny(false, 1), afterBraces(next, 2));
      case '0', '1', '2', '3', '4', '5', '6', '7' -> add(Needs.ofAny(false, 1), afterOctal(next));
      default -> {
        boolean isLetter = Character.isLetterOrDigit(escaped);
        add(isLetter ? Needs.ofAny(false, 1) : Needs.ofChar(escaped), next);
      }
    }
  }

  private void readQuoted(int from) {
    int end = pattern.indexOf("\\E", from);
    String quoted = pattern.substring(from, end < 0 ? pattern.length() : end);
    quoted.codePoints().forEach(each -> groups.element().parts.add(Needs.ofChar(each)));
    at = end < 0 ? pattern.length() : end + 2;
  }

  private int afterBraces(int from, int chars) {
    int end =
        from < pattern.length() && pattern.charAt(from) == '{' ? pattern.indexOf('}', from) : -1;
    return end >= 0 ? end + 1 : Math.min(from + chars, pattern.length());
  }

  private int afterOctal(int from) {
    int end = from;
    while (end < Math.min(from + 2, pattern.length())
        && pattern.charAt(end) >= '0'
        && pattern.charAt(end) <= '7') {
      end++;
    }
    return end;
  }
}
