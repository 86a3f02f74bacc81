package im.zonda.plugins.filter;

import im.zonda.plugins.filter.MessageText.Passage;
import im.zonda.plugins.filter.match.Hits;
import im.zonda.plugins.filter.match.Hits.Hit;
import im.zonda.plugins.filter.match.Range;
import im.zonda.plugins.filter.rule.Action;
import im.zonda.plugins.filter.rule.Rule;
import im.zonda.plugins.filter.rule.RuleSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Judgement of rules on the texts of a message: what they find, and what follows from it.
///
/// @param finds the first place that each rule has found, in the order of the rules
/// @param masks the parts to mask by the index of the payload, ordered and apart from each other
/// @param isIncomplete whether the texts were not checked to their end
record Judgement(List<Find> finds, Map<Integer, List<Range>> masks, boolean isIncomplete) {
  /// The first place that a rule has found.
  ///
  /// @param found what stands there
  record Find(Rule rule, String found) {}

  /// Asks rules.
  ///
  /// @param active which rules are asked, by their indexes
  static Judgement of(RuleSet rules, boolean[] active, List<Passage> passages) {
    TreeMap<Integer, Find> finds = new TreeMap<>();
    Map<Integer, List<Range>> masks = new HashMap<>();
    boolean isIncomplete = false;
    for (Passage passage : passages) {
      Hits hits = rules.find(passage.text(), active);
      isIncomplete |= hits.isIncomplete();
      List<Range> masked = new ArrayList<>();
      for (Hit hit : hits.found()) {
        Rule rule = rules.rules().get(hit.rule());
        Range range = hit.range();
        finds.computeIfAbsent(
            hit.rule(), _ -> new Find(rule, passage.text().substring(range.start(), range.end())));
        if (rule.does(Action.MASK)) {
          masked.add(range);
        }
      }
      if (!masked.isEmpty()) {
        masks.put(passage.payload(), apart(masked));
      }
    }
    return new Judgement(List.copyOf(finds.values()), masks, isIncomplete);
  }

  // Joins those that overlap.
  private static List<Range> apart(List<Range> ranges) {
    ranges.sort(Comparator.comparingInt(Range::start));
    List<Range> apart = new ArrayList<>();
    for (Range range : ranges) {
      Range last = apart.isEmpty() ? null : apart.getLast();
      if (last != null && range.start() <= last.end()) {
        apart.set(apart.size() - 1, new Range(last.start(), Math.max(last.end(), range.end())));
      } else {
        apart.add(range);
      }
    }
    return apart;
  }

  /// The first rule that rejects or drops the message; null if it passes.
  @Nullable Rule decisive() {
    for (Find find : finds) {
      if (find.rule.does(Action.REJECT) || find.rule.does(Action.DROP)) {
        return find.rule;
      }
    }
    return null;
  }
}
