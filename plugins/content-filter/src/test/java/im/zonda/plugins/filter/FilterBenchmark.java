package im.zonda.plugins.filter;

import im.zonda.jid.Jid;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugins.filter.MessageText.Passage;
import im.zonda.plugins.filter.match.TextPattern;
import im.zonda.plugins.filter.match.Word;
import im.zonda.plugins.filter.rule.Action;
import im.zonda.plugins.filter.rule.Globs;
import im.zonda.plugins.filter.rule.Rule;
import im.zonda.plugins.filter.rule.RuleScope;
import im.zonda.plugins.filter.rule.RuleSet;
import im.zonda.plugins.filter.rule.Subject;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;

/// How much time of a processor it takes to check a line of chat. Run by hand: the class path of
/// the tests, and `java -cp … im.zonda.plugins.filter.FilterBenchmark`.
final class FilterBenchmark {
  private static final int LINES = 20_000;
  private static final int ROUNDS = 15;
  private static final String COMMON =
      "the be to of and a in that have i it for not on with he as you do at this but his by from"
          + " they we say her she or an will my one all would there their what so up out if about"
          + " who get which go me when make can like time no just him know take people into year"
          + " your good some could them see other than then now look only come its over think also"
          + " back after use two how our work first well way even new want because any these give"
          + " day most us raid boss guild tank healer dps loot drop quest level mount gear trade"
          + " server lag patch nerf buff lol gg wp brb afk pls thx ok yeah nope maybe tonight";
  private static final String[] ENDS = {"", "", "", "!", "?", "...", " :)", " lol", " 2", "!!"};
  private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();
  private static final PrintStream OUT = System.out;

  private FilterBenchmark() {}

  public static void main(String[] arguments) {
    Random random = new Random(42);
    List<String> lines = lines(random, LINES);
    OUT.printf("%d lines of %.0f characters%n", LINES, length(lines));
    measure("1,000 words", words(random, 1_000), lines);
    measure("100,000 words", words(random, 100_000), lines);
    measure("1,000 patterns with a text", patterns(random, 1_000), lines);
    List<Rule> both = new ArrayList<>(words(random, 1_000));
    both.addAll(patterns(random, 1_000));
    measure("1,000 words and 1,000 patterns", both, lines);
    measure("the same, disguised words in each line", both, disguised(lines));
    measure("the same, Russian", both, lines.stream().map(FilterBenchmark::russian).toList());
    List<Rule> all = new ArrayList<>(both);
    all.add(
        rule(
            List.of("shit", "aa", "ab", "a.b"),
            List.of("\\d{4} \\d{5}", "(x+x+)+[ay]", "shit.*x")));
    measureAttacks(all);
    measure(
        "10 patterns without a text (card numbers)",
        List.of(
            rule(
                List.of(),
                n(10, i -> "\\b\\d{4}[ -]?\\d{4}[ -]?\\d{4}[ -]?\\d{" + (i + 1) + "}\\b"))),
        lines);
  }

  /// Messages of 256 KiB that are made to cost much.
  private static void measureAttacks(List<Rule> rules) {
    RuleSet set = new RuleSet(rules);
    boolean[] active = new boolean[rules.size()];
    Arrays.fill(active, true);
    int length = 256 * 1024;
    for (String part :
        List.of("a", "\u200b", "a\u0301\u0302", "1!|", "a.b ", "ﷺ", "shit ", "1234 ", "😀", "é")) {
      String text = part.repeat(length / part.length());
      double[] millis = new double[ROUNDS];
      boolean isIncomplete = false;
      for (int round = -5; round < ROUNDS; round++) {
        long began = THREAD.getCurrentThreadCpuTime();
        isIncomplete = Judgement.of(set, active, List.of(new Passage(0, text))).isIncomplete();
        millis[Math.max(round, 0)] = (THREAD.getCurrentThreadCpuTime() - began) / 1e6;
      }
      Arrays.sort(millis);
      OUT.printf(
          "256 KiB of %s: %.1f ms (%.1f to %.1f)%s%n",
          part, millis[ROUNDS / 2], millis[0], millis[ROUNDS - 1], isIncomplete ? ", stopped" : "");
    }
  }

  private static List<String> lines(Random random, int count) {
    String[] words = COMMON.split(" ", -1);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder line = new StringBuilder();
      for (int n = 3 + random.nextInt(15); n > 0; n--) {
        // The common words are the most frequent.
        int word = (int) (words.length * Math.pow(random.nextDouble(), 2));
        line.append(line.isEmpty() ? "" : " ").append(words[word]);
      }
      if (random.nextInt(4) == 0) {
        line.append(" don't");
      }
      if (random.nextInt(20) == 0) {
        line.append(" https://example.org/wiki/page?id=").append(random.nextInt(1_000));
      }
      lines.add(line.append(ENDS[random.nextInt(ENDS.length)]).toString());
    }
    return lines;
  }

  private static double length(List<String> lines) {
    return lines.stream().mapToInt(String::length).average().orElse(0);
  }

  private static List<String> disguised(List<String> lines) {
    return lines.stream().map(line -> line.replace('e', '3') + " s.h.u.t up").toList();
  }

  private static String russian(String line) {
    StringBuilder other = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      other.append(c >= 'a' && c <= 'z' ? (char) ('а' + (c - 'a')) : c);
    }
    return other.toString();
  }

  /// Words as in a list of swear words: of letters that are as frequent as in English.
  private static String word(Random random) {
    String letters = "eeeeeaaaaooooiiiuutttnnnsssrrrhhhlldddccmmffppggwwybbvkxjqz";
    StringBuilder word = new StringBuilder();
    for (int n = 5 + random.nextInt(6); n > 0; n--) {
      word.append(letters.charAt(random.nextInt(letters.length())));
    }
    return word.toString();
  }

  private static List<Rule> words(Random random, int count) {
    return List.of(rule(n(count, _ -> word(random)), List.of()));
  }

  private static List<Rule> patterns(Random random, int count) {
    List<String> patterns =
        n(
            count,
            i ->
                switch (i % 5) {
                  case 0 -> "\\b" + word(random) + "(s|ed|ing)?\\b";
                  case 1 -> word(random) + "\\s+(my|your)\\s+" + word(random);
                  case 2 -> "(" + word(random) + "|" + word(random) + ")[ -]?[0-9]{2,4}";
                  case 3 -> "https?://[a-z0-9.-]*" + word(random) + "\\.(com|net|ru)";
                  default -> word(random) + "[^a-z]+" + word(random) + ".*" + word(random);
                });
    return List.of(rule(List.of(), patterns));
  }

  private static List<String> n(int count, Function<Integer, String> each) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(each.apply(i));
    }
    return all;
  }

  private static Rule rule(List<String> words, List<String> patterns) {
    Globs none = new Globs(List.of());
    return new Rule(
        "r",
        "b.rules",
        1,
        Set.of(Action.MASK),
        null,
        Set.of(FilterPoint.SENT, FilterPoint.ROOM),
        new RuleScope(none, none, none, none, none),
        words.stream().map(Word::of).toList(),
        List.of(),
        patterns.stream().map(TextPattern::of).toList(),
        false);
  }

  private static void measure(String what, List<Rule> rules, List<String> lines) {
    long before = System.nanoTime();
    RuleSet set = new RuleSet(rules);
    double made = (System.nanoTime() - before) / 1e6;
    Jid sender = Jid.of("juliet@example.org/desk");
    Subject subject =
        new Subject(FilterPoint.ROOM, "example.org", "r@rooms.example.org", sender, false, false);
    double[] micros = new double[ROUNDS];
    long found = 0;
    for (int round = -5; round < ROUNDS; round++) {
      long began = THREAD.getCurrentThreadCpuTime();
      for (String line : lines) {
        boolean[] active = set.active(subject);
        if (active != null) {
          found += Judgement.of(set, active, List.of(new Passage(0, line))).finds().size();
        }
      }
      if (round >= 0) {
        micros[round] = (THREAD.getCurrentThreadCpuTime() - began) / 1e3 / lines.size();
      }
    }
    Arrays.sort(micros);
    OUT.printf(
        "%-45s %6.2f us a line (%.2f to %.2f); %d finds, made in %.0f ms%n",
        what, micros[ROUNDS / 2], micros[0], micros[ROUNDS - 1], found, made);
  }
}
