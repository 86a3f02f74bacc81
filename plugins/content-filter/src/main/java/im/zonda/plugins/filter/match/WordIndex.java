package im.zonda.plugins.filter.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/// The words of all rules, found in one pass. Immutable.
public final class WordIndex {
  /// A word of a rule.
  ///
  /// @param rule the index of the rule
  /// @param isExact whether disguised spellings do not count
  /// @param isAllowed whether the rule does not match within this word
  public record Entry(Word word, int rule, boolean isExact, boolean isAllowed) {}

  private final Automaton automaton;
  // The words with the same letters, by the index of the key.
  private final Entry[][] entries;
  private final int[] lengths;
  private final boolean isDisguiseWanted;

  /// Makes the index.
  public WordIndex(List<Entry> words) {
    TreeMap<int[], List<Entry>> byKey = new TreeMap<>(Arrays::compare);
    boolean wanted = false;
    for (Entry entry : words) {
      byKey.computeIfAbsent(entry.word.symbols(), _ -> new ArrayList<>(1)).add(entry);
      wanted |= !entry.isExact && !entry.isAllowed;
    }
    this.automaton = Automaton.of(List.copyOf(byKey.keySet()));
    this.entries =
        byKey.values().stream().map(e -> e.toArray(new Entry[0])).toArray(Entry[][]::new);
    this.lengths = byKey.keySet().stream().mapToInt(key -> key.length).toArray();
    this.isDisguiseWanted = wanted;
  }

  /// Finds words.
  ///
  /// @param isActive whether a rule is asked for, by its index
  public void find(NormalText text, boolean[] isActive, Hits hits) {
    if (entries.length == 0) {
      return;
    }
    find(View.plain(text), isActive, hits);
    if (isDisguiseWanted) {
      Disguise.read(text, view -> find(view, isActive, hits));
    }
  }

  private void find(View view, boolean[] isActive, Hits hits) {
    int state = 0;
    int length = view.length();
    for (int i = 0; i < length; i++) {
      state = automaton.next(state, view.symbol(i));
      for (int end = automaton.firstEnd(state); end != 0; end = automaton.nextEnd(end)) {
        int key = automaton.key(end);
        check(entries[key], view, i + 1 - lengths[key], i + 1, isActive, hits);
      }
    }
  }

  private static void check(
      Entry[] words, View view, int from, int to, boolean[] isActive, Hits hits) {
    for (Entry each : words) {
      if (isActive[each.rule] && each.word.isAt(view, from, to, each.isExact)) {
        Range range = view.range(from, to);
        if (each.isAllowed) {
          hits.allow(each.rule, range);
        } else {
          hits.add(each.rule, range);
        }
      }
    }
  }
}
