package im.zonda.plugins.filter.rule;

import im.zonda.plugins.filter.match.Hits;
import im.zonda.plugins.filter.match.NormalText;
import im.zonda.plugins.filter.match.PatternIndex;
import im.zonda.plugins.filter.match.WordIndex;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All rules, ready to be asked. Immutable.
public final class RuleSet {
  /// No rules.
  public static final RuleSet EMPTY = new RuleSet(List.of());

  private final List<Rule> rules;
  private final WordIndex words;
  private final PatternIndex patterns;

  /// Prepares rules.
  public RuleSet(List<Rule> rules) {
    this.rules = List.copyOf(rules);
    List<WordIndex.Entry> allWords = new ArrayList<>();
    List<PatternIndex.Entry> allPatterns = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      int index = i;
      Rule rule = rules.get(i);
      boolean isExact = rule.isExact();
      rule.words().forEach(w -> allWords.add(new WordIndex.Entry(w, index, isExact, false)));
      rule.allowed().forEach(w -> allWords.add(new WordIndex.Entry(w, index, isExact, true)));
      rule.patterns().forEach(p -> allPatterns.add(new PatternIndex.Entry(p, index)));
    }
    this.words = new WordIndex(allWords);
    this.patterns = new PatternIndex(allPatterns);
  }

  /// The rules, in the order in which they count.
  public List<Rule> rules() {
    return rules;
  }

  /// Which rules look at a message, by their indexes; null if none does.
  public boolean @Nullable [] active(Subject subject) {
    boolean[] active = null;
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).looksAt(subject)) {
        if (active == null) {
          active = new boolean[rules.size()];
        }
        active[i] = true;
      }
    }
    return active;
  }

  /// Finds what rules look for in a text.
  ///
  /// @param active which rules are asked
  public Hits find(String text, boolean[] active) {
    NormalText normal = NormalText.of(text);
    Hits hits = new Hits();
    words.find(normal, active, hits);
    patterns.find(normal, active, hits);
    return hits;
  }
}
