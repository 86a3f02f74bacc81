package im.zonda.jid;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacterDirection;

/// The Bidi Rule (RFC 5893, section 2) for a text with characters that are written from right to
/// left.
final class BidiRule {
  private static final int RIGHT_TO_LEFT =
      set(UCharacterDirection.RIGHT_TO_LEFT, UCharacterDirection.RIGHT_TO_LEFT_ARABIC);
  private static final int ARABIC_NUMBER = set(UCharacterDirection.ARABIC_NUMBER);
  private static final int EUROPEAN_NUMBER = set(UCharacterDirection.EUROPEAN_NUMBER);
  private static final int NEUTRAL =
      set(
          UCharacterDirection.EUROPEAN_NUMBER_SEPARATOR,
          UCharacterDirection.COMMON_NUMBER_SEPARATOR,
          UCharacterDirection.EUROPEAN_NUMBER_TERMINATOR,
          UCharacterDirection.OTHER_NEUTRAL,
          UCharacterDirection.BOUNDARY_NEUTRAL,
          UCharacterDirection.DIR_NON_SPACING_MARK);

  private BidiRule() {}

  /// Whether the text has no such characters, or keeps the rule.
  static boolean allows(String text) {
    int[] all = text.codePoints().map(c -> set(UCharacter.getDirection(c))).toArray();
    int found = 0;
    for (int direction : all) {
      found |= direction;
    }
    if ((found & (RIGHT_TO_LEFT | ARABIC_NUMBER)) == 0) {
      return true;
    }
    int end = all.length - 1;
    while (end > 0 && all[end] == set(UCharacterDirection.DIR_NON_SPACING_MARK)) {
      end--;
    }
    int last = all[end];
    // Conditions 1 to 4. A text that begins from left to right breaks condition 5 by having such
    // characters at all.
    return (all[0] & RIGHT_TO_LEFT) != 0
        && (found & ~(RIGHT_TO_LEFT | ARABIC_NUMBER | EUROPEAN_NUMBER | NEUTRAL)) == 0
        && (last & (RIGHT_TO_LEFT | ARABIC_NUMBER | EUROPEAN_NUMBER)) != 0
        && (found & (ARABIC_NUMBER | EUROPEAN_NUMBER)) != (ARABIC_NUMBER | EUROPEAN_NUMBER);
  }

  private static int set(int... directions) {
    int set = 0;
    for (int direction : directions) {
      set |= 1 << direction;
    }
    return set;
  }
}
