package im.zonda.plugins.filter.rule;

import im.zonda.plugin.FilterPoint;
import im.zonda.plugins.filter.match.TextPattern;
import im.zonda.plugins.filter.match.Word;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the rules of one file. A line in brackets is the name of a rule, the lines `key = value`
/// after it say what it does. Lines that are empty or begin with a number sign are skipped.
final class RuleReader {
  /// The most problems of a file that are reported.
  static final int MOST_PROBLEMS = 10;

  /// The most lists that a file names.
  static final int MOST_LISTS = 100;

  private static final int MOST_TEXT = 500;
  private static final Set<String> SINGLE = Set.of("action", "text", "points", "disguises");

  /// Gives the lines of another file.
  @FunctionalInterface
  interface Lists {
    /// Reads the lines.
    ///
    /// @throws IOException whose message says why it cannot be read
    List<String> lines(String name) throws IOException;
  }

  private final String file;
  private final Lists lists;
  private final List<RuleProblem> problems = new ArrayList<>();
  private final List<Rule> rules = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private @Nullable Draft draft;
  private int listCount;
  private int wordCount;
  private int patternCount;

  /// A rule that is being read.
  private static final class Draft {
    final String name;
    final int line;
    final int problemsBefore;
    final Set<String> keys = new HashSet<>();
    final EnumSet<Action> actions = EnumSet.noneOf(Action.class);
    final EnumSet<FilterPoint> points = EnumSet.noneOf(FilterPoint.class);
    final Map<String, List<String>> globs = new HashMap<>();
    final List<Word> words = new ArrayList<>();
    final List<Word> allowed = new ArrayList<>();
    final List<TextPattern> patterns = new ArrayList<>();
    @Nullable String text;
    boolean isExact;

    Draft(String name, int line, int problemsBefore) {
      this.name = name;
      this.line = line;
      this.problemsBefore = problemsBefore;
    }

    Rule rule(String file) {
      if (points.isEmpty()) {
        points.add(FilterPoint.SENT);
        points.add(FilterPoint.ROOM);
      }
      RuleScope scope =
          new RuleScope(
              globs("hosts"),
              globs("rooms"),
              globs("except-rooms"),
              globs("users"),
              globs("except-users"));
      return new Rule(
          name, file, line, actions, text, points, scope, words, allowed, patterns, isExact);
    }

    private Globs globs(String key) {
      return new Globs(globs.getOrDefault(key, List.of()));
    }
  }

  RuleReader(String file, Lists lists) {
    this.file = file;
    this.lists = lists;
  }

  /// Reads the lines of the file.
  ///
  /// @return the rules, without those that are wrong ([#problems])
  List<Rule> read(List<String> lines) {
    for (int i = 0; i < lines.size() && problems.size() < MOST_PROBLEMS; i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        readLine(line, i + 1);
      }
    }
    endRule();
    return rules;
  }

  /// What is wrong.
  List<RuleProblem> problems() {
    return problems;
  }

  private void problem(int line, String text) {
    problems.add(new RuleProblem(file, line, text));
  }

  private void readLine(String line, int number) {
    if (line.startsWith("[") && line.endsWith("]")) {
      endRule();
      beginRule(line.substring(1, line.length() - 1).strip(), number);
      return;
    }
    int equals = line.indexOf('=');
    Draft current = draft;
    if (equals < 0) {
      problem(number, "expected [NAME OF A RULE] or KEY = VALUE");
    } else if (current == null) {
      problem(number, "a rule begins with its name in brackets, such as [insults]");
    } else {
      String key = line.substring(0, equals).strip().toLowerCase(Locale.ROOT);
      String value = line.substring(equals + 1).strip();
      if (value.isEmpty()) {
        problem(number, key + " has no value");
      } else if (SINGLE.contains(key) && !current.keys.add(key)) {
        problem(number, "the rule has " + key + " twice");
      } else {
        readKey(current, key, value, number);
      }
    }
  }

  private void beginRule(String name, int number) {
    int before = problems.size();
    if (!name.matches("[\\p{L}\\p{N}][\\p{L}\\p{N} _.-]{0,63}")) {
      problem(number, "the name of a rule has 1 to 64 letters, digits, spaces and hyphens");
    } else if (!names.add(name)) {
      problem(number, "there are two rules " + name);
    }
    draft = new Draft(name, number, before);
  }

  private void endRule() {
    Draft current = draft;
    draft = null;
    if (current == null || problems.size() > current.problemsBefore) {
      return;
    }
    if (current.actions.isEmpty()) {
      problem(current.line, "the rule " + current.name + " has no action");
    } else if (current.words.isEmpty() && current.patterns.isEmpty()) {
      problem(current.line, "the rule " + current.name + " has no words and no patterns");
    } else {
      rules.add(current.rule(file));
    }
  }

  private void readKey(Draft current, String key, String value, int line) {
    switch (key) {
      case "action" -> readActions(current, value, line);
      case "text" -> {
        if (value.length() > MOST_TEXT) {
          problem(line, "a text has at most " + MOST_TEXT + " characters");
        }
        current.text = value;
      }
      case "points" -> readPoints(current, value, line);
      case "disguises" -> readDisguises(current, value, line);
      case "hosts", "rooms", "except-rooms", "users", "except-users" ->
          current.globs.computeIfAbsent(key, _ -> new ArrayList<>()).addAll(split(value));
      case "words" -> split(value).forEach(each -> readWord(current.words, each, file, line));
      case "allow" -> split(value).forEach(each -> readWord(current.allowed, each, file, line));
      case "pattern" -> readPattern(current.patterns, value, file, line);
      case "words-file" ->
          readList(value, line, (text, at) -> readWord(current.words, text, value, at));
      case "allow-file" ->
          readList(value, line, (text, at) -> readWord(current.allowed, text, value, at));
      case "patterns-file" ->
          readList(value, line, (text, at) -> readPattern(current.patterns, text, value, at));
      default ->
          problem(
              line,
              "there is no key "
                  + shown(key)
                  + "; there are action, text, points, disguises, hosts, rooms, except-rooms,"
                  + " users, except-users, words, words-file, allow, allow-file, pattern,"
                  + " patterns-file");
    }
  }

  private static List<String> split(String value) {
    List<String> parts = new ArrayList<>();
    for (String each : value.split(",", -1)) {
      if (!each.isBlank()) {
        parts.add(each.strip());
      }
    }
    return parts;
  }

  private void readActions(Draft current, String value, int line) {
    for (String each : split(value)) {
      Action action = Action.of(each);
      if (action == null) {
        problem(line, "an action is reject, mask, drop, report or count, not " + shown(each));
      } else {
        current.actions.add(action);
      }
    }
    EnumSet<Action> decisive = EnumSet.of(Action.REJECT, Action.MASK, Action.DROP);
    decisive.retainAll(current.actions);
    if (decisive.size() > 1) {
      problem(line, "a rule has one of reject, mask and drop");
    }
  }

  private void readPoints(Draft current, String value, int line) {
    for (String each : split(value)) {
      switch (each) {
        case "sent" -> current.points.add(FilterPoint.SENT);
        case "arriving" -> current.points.add(FilterPoint.ARRIVING);
        case "room" -> current.points.add(FilterPoint.ROOM);
        default -> problem(line, "points are sent, arriving and room, not " + shown(each));
      }
    }
  }

  private void readDisguises(Draft current, String value, int line) {
    switch (value) {
      case "yes" -> current.isExact = false;
      case "no" -> current.isExact = true;
      default -> problem(line, "disguises is yes or no, not " + shown(value));
    }
  }

  // Counted here, too, so that one file cannot fill the memory before it is complete.
  private void readWord(List<Word> words, String text, String where, int line) {
    if (wordCount++ == RuleFolder.MOST_WORDS) {
      problem(0, "there are more than " + RuleFolder.MOST_WORDS + " words");
    }
    if (wordCount > RuleFolder.MOST_WORDS) {
      return;
    }
    try {
      words.add(Word.of(text));
    } catch (IllegalArgumentException e) {
      problems.add(new RuleProblem(where, line, String.valueOf(e.getMessage())));
    }
  }

  private void readPattern(List<TextPattern> patterns, String text, String where, int line) {
    if (patternCount++ == RuleFolder.MOST_PATTERNS) {
      problem(0, "there are more than " + RuleFolder.MOST_PATTERNS + " patterns");
    }
    if (patternCount > RuleFolder.MOST_PATTERNS) {
      return;
    }
    try {
      patterns.add(TextPattern.of(text));
    } catch (IllegalArgumentException e) {
      problems.add(new RuleProblem(where, line, String.valueOf(e.getMessage())));
    }
  }

  /// Takes a line of a list.
  @FunctionalInterface
  private interface Line {
    void read(String text, int line);
  }

  private void readList(String name, int line, Line each) {
    if (listCount++ >= MOST_LISTS) {
      problem(line, "a file names at most " + MOST_LISTS + " lists");
      return;
    }
    List<String> lines;
    try {
      lines = lists.lines(name);
    } catch (IOException e) {
      problem(line, shown(name) + ": " + e.getMessage());
      return;
    }
    for (int i = 0; i < lines.size() && problems.size() < MOST_PROBLEMS; i++) {
      String text = lines.get(i).strip();
      if (!text.isEmpty() && !text.startsWith("#")) {
        each.read(text, i + 1);
      }
    }
  }

  private static String shown(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
