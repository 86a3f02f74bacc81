package im.zonda.plugins.filter.match;

import java.util.ArrayList;
import java.util.List;

/// Places of one text at which rules match. Not thread-safe.
public final class Hits {
  /// The most places of one text; more make it no less clear what it is, and it counts as not
  /// checked to its end.
  static final int MOST = 20_000;

  /// A place where a rule matches.
  ///
  /// @param rule the index of the rule
  /// @param range the place in the original text
  public record Hit(int rule, Range range) {}

  private final List<Hit> found = new ArrayList<>();
  private final List<Hit> allowed = new ArrayList<>();
  private boolean isIncomplete;

  void add(int rule, Range range) {
    if (found.size() < MOST) {
      found.add(new Hit(rule, range));
    } else {
      isIncomplete = true;
    }
  }

  void allow(int rule, Range range) {
    if (allowed.size() < MOST) {
      allowed.add(new Hit(rule, range));
    }
  }

  void markIncomplete() {
    isIncomplete = true;
  }

  /// Whether the text was not checked to its end, because that would have cost too much.
  public boolean isIncomplete() {
    return isIncomplete;
  }

  /// The places that do not lie within an allowed word.
  public List<Hit> found() {
    if (allowed.isEmpty() || found.isEmpty()) {
      return found;
    }
    return new AllowedPlaces(allowed).without(found);
  }
}
