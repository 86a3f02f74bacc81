package im.zonda.plugins.webhooks;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The part of a message or presence that a target gets beside who, when and to whom.
enum Contents {
  /// Nothing.
  NONE,
  /// What people write: body, subject, status.
  TEXT,
  /// That, and the whole stanza as XML.
  STANZA;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static @Nullable Contents of(String word) {
    for (Contents each : values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    return null;
  }

  /// The lesser of two.
  Contents atMost(Contents other) {
    return compareTo(other) < 0 ? this : other;
  }
}
