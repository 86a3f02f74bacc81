package im.zonda.jid;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacter.JoiningType;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.lang.UScript;

/// The contextual rules of RFC 5892, appendix A: code points that are allowed in some places only.
final class ContextRules {
  private static final int VIRAMA = 9;

  private ContextRules() {}

  /// Whether a contextual rule applies to the code point.
  static boolean has(int c) {
    return switch (c) {
      case 0xB7, 0x375, 0x5F3, 0x5F4, 0x200C, 0x200D, 0x30FB -> true;
      default -> isArabicIndicDigit(c) || isExtendedArabicIndicDigit(c);
    };
  }

  /// Whether all code points of the text are in a place where they are allowed.
  static boolean allow(String text) {
    int[] all = text.codePoints().toArray();
    for (int i = 0; i < all.length; i++) {
      boolean allowed =
          switch (all[i]) {
            case 0x200C -> isAfterVirama(all, i) || isBetweenJoining(all, i);
            case 0x200D -> isAfterVirama(all, i);
            case 0xB7 -> at(all, i - 1) == 'l' && at(all, i + 1) == 'l';
            case 0x375 -> script(at(all, i + 1)) == UScript.GREEK;
            case 0x5F3, 0x5F4 -> script(at(all, i - 1)) == UScript.HEBREW;
            case 0x30FB -> text.codePoints().anyMatch(ContextRules::isJapanese);
            default ->
                !isArabicIndicDigit(all[i])
                    || text.codePoints().noneMatch(ContextRules::isExtendedArabicIndicDigit);
          };
      if (!allowed) {
        return false;
      }
    }
    return true;
  }

  // -1 before the first and after the last.
  private static int at(int[] all, int index) {
    return index < 0 || index >= all.length ? -1 : all[index];
  }

  private static boolean isAfterVirama(int[] all, int index) {
    return index > 0 && UCharacter.getCombiningClass(all[index - 1]) == VIRAMA;
  }

  /// Appendix A.1: `(Joining_Type:{L,D})(Joining_Type:T)*`, the ZWNJ,
  /// `(Joining_Type:T)*(Joining_Type:{R,D})`.
  private static boolean isBetweenJoining(int[] all, int index) {
    int before = index - 1;
    while (before >= 0 && joiningType(all[before]) == JoiningType.TRANSPARENT) {
      before--;
    }
    int after = index + 1;
    while (after < all.length && joiningType(all[after]) == JoiningType.TRANSPARENT) {
      after++;
    }
    if (before < 0 || after == all.length) {
      return false;
    }
    int left = joiningType(all[before]);
    int right = joiningType(all[after]);
    return (left == JoiningType.LEFT_JOINING || left == JoiningType.DUAL_JOINING)
        && (right == JoiningType.RIGHT_JOINING || right == JoiningType.DUAL_JOINING);
  }

  private static int joiningType(int c) {
    return UCharacter.getIntPropertyValue(c, UProperty.JOINING_TYPE);
  }

  private static int script(int c) {
    return c < 0 ? UScript.UNKNOWN : UScript.getScript(c);
  }

  private static boolean isJapanese(int c) {
    return switch (UScript.getScript(c)) {
      case UScript.HIRAGANA, UScript.KATAKANA, UScript.HAN -> true;
      default -> false;
    };
  }

  private static boolean isArabicIndicDigit(int c) {
    return c >= 0x660 && c <= 0x669;
  }

  private static boolean isExtendedArabicIndicDigit(int c) {
    return c >= 0x6F0 && c <= 0x6F9;
  }
}
