package im.zonda.plugins.filter.match;

import java.util.Arrays;
import java.util.List;

/// Finds all of some keys in one pass over a text (Aho and Corasick, 1975).
///
/// The states are numbered level by level, so that the states after one state are neighbours: a
/// state takes 20 bytes, and 100,000 words about 15 MB.
final class Automaton {
  private static final int DIRECT = 0x80;

  // The states after state s are firstNext[s] to firstNext[s + 1] - 1, ordered by their symbols.
  private final int[] firstNext;
  private final int[] symbols;
  // The state of the longest end of what was read that some key begins with.
  private final int[] fallbacks;
  // The key that ends here, or -1.
  private final int[] keys;
  // The next shorter state on the way of the fallbacks at which a key ends, or 0.
  private final int[] shorter;
  private final int[] direct = new int[DIRECT];

  private Automaton(int[] firstNext, int[] symbols, int[] keys) {
    this.firstNext = firstNext;
    this.symbols = symbols;
    this.keys = keys;
    this.fallbacks = new int[keys.length];
    this.shorter = new int[keys.length];
    for (int s = firstNext[0]; s < firstNext[1]; s++) {
      if (symbols[s] < DIRECT) {
        direct[symbols[s]] = s;
      }
    }
    for (int s = 0; s < keys.length; s++) {
      for (int to = firstNext[s]; to < firstNext[s + 1]; to++) {
        int fallback = s == 0 ? 0 : next(fallbacks[s], symbols[to]);
        fallbacks[to] = fallback;
        shorter[to] = keys[fallback] >= 0 ? fallback : shorter[fallback];
      }
    }
  }

  /// Makes the automaton of some keys.
  ///
  /// @param sorted the keys, each of at least one symbol, none twice, ordered by [Arrays#compare]
  static Automaton of(List<int[]> sorted) {
    int most = 1;
    for (int[] key : sorted) {
      most += key.length;
    }
    Growth growth = new Growth(sorted, most);
    growth.run();
    return new Automaton(
        Arrays.copyOf(growth.firstNext, growth.count + 1),
        Arrays.copyOf(growth.symbols, growth.count),
        Arrays.copyOf(growth.keys, growth.count));
  }

  /// Numbers the states. State s stands for the keys from `lows[s]` to `highs[s] - 1`, which have
  /// their first `depths[s]` symbols in common.
  private static final class Growth {
    private final List<int[]> sorted;
    private final int[] firstNext;
    private final int[] symbols;
    private final int[] keys;
    private final int[] lows;
    private final int[] highs;
    private final int[] depths;
    private int count = 1;

    Growth(List<int[]> sorted, int most) {
      this.sorted = sorted;
      this.firstNext = new int[most + 1];
      this.symbols = new int[most];
      this.keys = new int[most];
      this.lows = new int[most];
      this.highs = new int[most];
      this.depths = new int[most];
      highs[0] = sorted.size();
    }

    void run() {
      for (int s = 0; s < count; s++) {
        int low = lows[s];
        int depth = depths[s];
        keys[s] = -1;
        if (low < highs[s] && sorted.get(low).length == depth) {
          keys[s] = low++;
        }
        firstNext[s] = count;
        while (low < highs[s]) {
          int symbol = sorted.get(low)[depth];
          int high = low + 1;
          while (high < highs[s] && sorted.get(high)[depth] == symbol) {
            high++;
          }
          symbols[count] = symbol;
          lows[count] = low;
          highs[count] = high;
          depths[count] = depth + 1;
          count++;
          low = high;
        }
      }
      firstNext[count] = count;
    }
  }

  /// The state after a symbol; the first state is 0.
  int next(int state, int symbol) {
    int s = state;
    while (s != 0) {
      int to = find(s, symbol);
      if (to != 0) {
        return to;
      }
      s = fallbacks[s];
    }
    return symbol < DIRECT ? direct[symbol] : find(0, symbol);
  }

  private int find(int state, int symbol) {
    int low = firstNext[state];
    int high = firstNext[state + 1] - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int found = symbols[middle];
      if (found == symbol) {
        return middle;
      }
      if (found < symbol) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return 0;
  }

  /// The first state at which a key ends with what was read up to `state`: that itself or a shorter
  /// one; 0 if no key ends there.
  int firstEnd(int state) {
    return keys[state] >= 0 ? state : shorter[state];
  }

  /// The next one, of a shorter key; 0 if there is none.
  int nextEnd(int end) {
    return shorter[end];
  }

  /// The index of the key that ends at `end`.
  int key(int end) {
    return keys[end];
  }
}
