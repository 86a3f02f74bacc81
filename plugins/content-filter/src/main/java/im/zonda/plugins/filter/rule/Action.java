package im.zonda.plugins.filter.rule;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Act on a message in which a rule finds something. Every find is counted.
public enum Action {
  /// The sender gets an error.
  REJECT,
  /// What was found is replaced by asterisks.
  MASK,
  /// The message is discarded, and the sender is not told.
  DROP,
  /// The administrators get a report.
  REPORT,
  /// Nothing else.
  COUNT;

  /// The word in files.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static @Nullable Action of(String word) {
    for (Action each : values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    return null;
  }
}
