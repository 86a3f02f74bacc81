package im.zonda.plugins.filter.match;

import im.zonda.plugins.filter.match.Hits.Hit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The places of words that a rule allows.
final class AllowedPlaces {
  // For each rule, the places by their starts, and the largest end up to each.
  private static final class Places {
    private final int[] starts;
    private final int[] ends;

    Places(int[] starts, int[] ends) {
      this.starts = starts;
      this.ends = ends;
    }

    boolean contain(Range range) {
      int low = 0;
      int high = starts.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (starts[middle] <= range.start()) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low > 0 && ends[low - 1] >= range.end();
    }
  }

  private final Map<Integer, Places> byRule = new HashMap<>();

  AllowedPlaces(List<Hit> allowed) {
    Map<Integer, List<Range>> ranges = new HashMap<>();
    for (Hit hit : allowed) {
      ranges.computeIfAbsent(hit.rule(), _ -> new ArrayList<>()).add(hit.range());
    }
    ranges.forEach((rule, places) -> {
      places.sort(Comparator.comparingInt(Range::start));
      int[] starts = new int[places.size()];
      int[] ends = new int[places.size()];
      int end = 0;
      for (int i = 0; i < starts.length; i++) {
        starts[i] = places.get(i).start();
        end = Math.max(end, places.get(i).end());
        ends[i] = end;
      }
      byRule.put(rule, new Places(starts, ends));
    });
  }

  /// Those that do not lie within an allowed place of the same rule.
  List<Hit> without(List<Hit> found) {
    List<Hit> rest = new ArrayList<>();
    for (Hit hit : found) {
      Places places = byRule.get(hit.rule());
      if (places == null || !places.contain(hit.range())) {
        rest.add(hit);
      }
    }
    return rest;
  }
}
