package im.zonda.module.pubsub.node;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The affiliation of a user with a node (XEP-0060, section 4.1).
public enum Affiliation {
  OWNER,
  PUBLISHER,
  PUBLISH_ONLY,
  MEMBER,
  NONE,
  OUTCAST;

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /// The word for it in requests and in the store.
  public String word() {
    return word;
  }

  /// The affiliation of that word, or null.
  public static @Nullable Affiliation of(@Nullable String word) {
    for (Affiliation each : values()) {
      if (each.word.equals(word)) {
        return each;
      }
    }
    return null;
  }

  /// Whether it allows to publish whatever the publish model is.
  boolean publishes() {
    return this == OWNER || this == PUBLISHER || this == PUBLISH_ONLY;
  }
}
