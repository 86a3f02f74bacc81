package im.zonda.operation;

import java.util.Locale;

/// The words that stand for the constants of enums.
final class Words {
  private Words() {}

  /// The name of a constant in lower case, with dashes.
  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
