package im.zonda.plugins.filter.match;

import com.google.re2j.Matcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/// The patterns of all rules. A text is compared only with those of which it has a text that they
/// need, which is found in one pass for all. Immutable.
public final class PatternIndex {
  /// A pattern of a rule.
  ///
  /// @param rule the index of the rule
  public record Entry(TextPattern pattern, int rule) {}

  /// What the comparisons with one text may cost: characters times steps. A pattern of 30 steps may
  /// read 100,000 characters, which takes about 20 ms.
  private static final long MOST_COST = 1_500_000;

  private static final int COST_OF_CHAR = 8;

  private final List<Entry> entries;
  private final Automaton automaton;
  // The patterns that need a text, by the index of its key.
  private final int[][] byLiteral;
  // The patterns of which no such text is known.
  private final int[] others;

  /// Makes the index.
  public PatternIndex(List<Entry> patterns) {
    this.entries = List.copyOf(patterns);
    TreeMap<int[], List<Integer>> byKey = new TreeMap<>(Arrays::compare);
    List<Integer> rest = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      List<String> literals = entries.get(i).pattern().needs().literals();
      if (literals.isEmpty()) {
        rest.add(i);
      } else {
        for (String literal : literals) {
          int[] key = literal.codePoints().toArray();
          byKey.computeIfAbsent(key, _ -> new ArrayList<>(1)).add(i);
        }
      }
    }
    this.automaton = Automaton.of(List.copyOf(byKey.keySet()));
    this.byLiteral =
        byKey.values().stream()
            .map(each -> each.stream().mapToInt(Integer::intValue).toArray())
            .toArray(int[][]::new);
    this.others = rest.stream().mapToInt(Integer::intValue).toArray();
  }

  /// Finds what patterns match.
  ///
  /// @param isActive whether a rule is asked for, by its index
  public void find(NormalText text, boolean[] isActive, Hits hits) {
    if (entries.isEmpty()) {
      return;
    }
    BitSet wanted = candidates(text.text());
    for (int each : others) {
      wanted.set(each);
    }
    if (wanted.isEmpty()) {
      return;
    }
    int digits = digits(text.text());
    long[] cost = {0};
    for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(i + 1)) {
      Entry entry = entries.get(i);
      Needs needs = entry.pattern().needs();
      if (isActive[entry.rule()]
          && needs.digits() <= digits
          && needs.chars() <= text.text().length()) {
        find(entry, text, hits, cost);
      }
    }
  }

  private BitSet candidates(String text) {
    BitSet found = new BitSet(0);
    int state = 0;
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      i += Character.charCount(codePoint);
      state = automaton.next(state, Letters.fold(codePoint));
      for (int end = automaton.firstEnd(state); end != 0; end = automaton.nextEnd(end)) {
        for (int each : byLiteral[automaton.key(end)]) {
          found.set(each);
        }
      }
    }
    return found;
  }

  private static int digits(String text) {
    int digits = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      digits += c >= '0' && c <= '9' ? 1 : 0;
    }
    return digits;
  }

  // A match may need a look at all the rest of the text, and the next one again.
  private static void find(Entry entry, NormalText text, Hits hits, long[] cost) {
    String all = text.text();
    int steps = COST_OF_CHAR + entry.pattern().pattern().programSize() / 4;
    Matcher matcher = entry.pattern().pattern().matcher(all);
    int from = 0;
    while (from < all.length()) {
      cost[0] += (long) steps * (all.length() - from);
      if (cost[0] > MOST_COST) {
        hits.markIncomplete();
        return;
      }
      if (!matcher.find(from)) {
        return;
      }
      if (matcher.end() > matcher.start()) {
        hits.add(entry.rule(), text.range(matcher.start(), matcher.end()));
      }
      from = Math.max(matcher.end(), from + 1);
    }
  }
}
