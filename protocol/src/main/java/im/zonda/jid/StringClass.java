package im.zonda.jid;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacter.HangulSyllableType;
import com.ibm.icu.lang.UCharacterCategory;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.text.Normalizer2;

/// The string classes of RFC 8264, section 4: which code points a string may have. Those that only
/// a context allows are checked by [ContextRules].
enum StringClass {
  IDENTIFIER,
  FREEFORM;

  private enum Property {
    VALID,
    CONTEXT,
    FREEFORM_ONLY,
    DISALLOWED
  }

  /// Checks all code points.
  ///
  /// @throws JidFormatException if one is not allowed
  void check(String text) {
    boolean context = false;
    int c;
    for (int i = 0; i < text.length(); i += Character.charCount(c)) {
      c = text.codePointAt(i);
      Property property = property(c);
      boolean allowed =
          switch (property) {
            case VALID, CONTEXT -> true;
            case FREEFORM_ONLY -> this == FREEFORM;
            case DISALLOWED -> false;
          };
      if (!allowed) {
        throw new JidFormatException("a character that a part must not have");
      }
      context |= property == Property.CONTEXT;
    }
    if (context && !ContextRules.allow(text)) {
      throw new JidFormatException("a character that a part must not have in this place");
    }
  }

  /// Section 8, in its order.
  private static Property property(int c) {
    return switch (c) {
      // RFC 5892, section 2.6
      case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007 -> Property.VALID;
      case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303B ->
          Property.DISALLOWED;
      default -> {
        if (ContextRules.has(c)) {
          yield Property.CONTEXT;
        }
        if (c > ' ' && c < 0x7F) {
          yield Property.VALID;
        }
        if (isOldHangulJamo(c) || isIgnorable(c)) {
          yield Property.DISALLOWED;
        }
        yield ofCategory(c);
      }
    };
  }

  private static boolean isOldHangulJamo(int c) {
    return switch (UCharacter.getIntPropertyValue(c, UProperty.HANGUL_SYLLABLE_TYPE)) {
      case HangulSyllableType.LEADING_JAMO,
          HangulSyllableType.VOWEL_JAMO,
          HangulSyllableType.TRAILING_JAMO ->
          true;
      default -> false;
    };
  }

  private static boolean isIgnorable(int c) {
    return UCharacter.hasBinaryProperty(c, UProperty.DEFAULT_IGNORABLE_CODE_POINT)
        || UCharacter.hasBinaryProperty(c, UProperty.NONCHARACTER_CODE_POINT);
  }

  // Unassigned code points and controls have a category that is not allowed.
  private static Property ofCategory(int c) {
    return switch (UCharacter.getType(c)) {
      case UCharacterCategory.LOWERCASE_LETTER,
          UCharacterCategory.UPPERCASE_LETTER,
          UCharacterCategory.OTHER_LETTER,
          UCharacterCategory.DECIMAL_DIGIT_NUMBER,
          UCharacterCategory.MODIFIER_LETTER,
          UCharacterCategory.NON_SPACING_MARK,
          UCharacterCategory.COMBINING_SPACING_MARK ->
          hasCompatibilityForm(c) ? Property.FREEFORM_ONLY : Property.VALID;
      case UCharacterCategory.TITLECASE_LETTER,
          UCharacterCategory.LETTER_NUMBER,
          UCharacterCategory.OTHER_NUMBER,
          UCharacterCategory.ENCLOSING_MARK,
          UCharacterCategory.SPACE_SEPARATOR,
          UCharacterCategory.MATH_SYMBOL,
          UCharacterCategory.CURRENCY_SYMBOL,
          UCharacterCategory.MODIFIER_SYMBOL,
          UCharacterCategory.OTHER_SYMBOL,
          UCharacterCategory.CONNECTOR_PUNCTUATION,
          UCharacterCategory.DASH_PUNCTUATION,
          UCharacterCategory.START_PUNCTUATION,
          UCharacterCategory.END_PUNCTUATION,
          UCharacterCategory.INITIAL_PUNCTUATION,
          UCharacterCategory.FINAL_PUNCTUATION,
          UCharacterCategory.OTHER_PUNCTUATION ->
          Property.FREEFORM_ONLY;
      default -> Property.DISALLOWED;
    };
  }

  private static boolean hasCompatibilityForm(int c) {
    return !Normalizer2.getNFKCInstance().isNormalized(Character.toString(c));
  }
}
