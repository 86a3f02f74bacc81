package im.zonda.host.plugin.manifest;

import java.util.Locale;

/// The type of a setting of a plugin.
public enum SettingType {
  /// A text.
  TEXT,
  /// A text that is never shown.
  SECRET,
  /// A whole number, also written as a size such as `"256KiB"`.
  NUMBER,
  /// A yes or no.
  FLAG,
  /// A length of time such as `"30s"`.
  DURATION,
  /// Texts, in their order.
  TEXTS,
  /// A file, relative to the folder of the plugin.
  PATH;

  /// The name in the manifest.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether values have a minimum and a maximum.
  public boolean hasBounds() {
    return this == NUMBER || this == DURATION;
  }

  /// Whether the values can be listed.
  public boolean hasWords() {
    return this == TEXT || this == TEXTS;
  }
}
