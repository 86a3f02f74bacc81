package im.zonda.jid;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacter.DecompositionType;
import com.ibm.icu.lang.UCharacterCategory;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.util.ULocale;

/// The PRECIS profiles of RFC 8265, for texts that are not ASCII. The rules are applied in the
/// order of RFC 8264, section 7.
public final class Precis {
  private Precis() {}

  /// Prepares a text by UsernameCaseMapped.
  ///
  /// @throws JidFormatException if it has characters that it must not have; the message does not
  ///   quote them
  static String username(String text) {
    String once = mappedUsername(text);
    if (!once.equals(text) && !mappedUsername(once).equals(once)) {
      throw unstable();
    }
    if (!BidiRule.allows(once)) {
      throw new JidFormatException("a part that mixes directions of writing");
    }
    StringClass.IDENTIFIER.check(once);
    return once;
  }

  /// Prepares a text by OpaqueString.
  ///
  /// @throws JidFormatException if it has characters that it must not have; the message does not
  ///   quote them
  public static String opaque(String text) {
    String once = mappedOpaque(text);
    if (!once.equals(text) && !mappedOpaque(once).equals(once)) {
      throw unstable();
    }
    StringClass.FREEFORM.check(once);
    return once;
  }

  /// Maps a text as OpaqueString does, whatever characters it has: other spaces to U+0020, then
  /// NFC.
  public static String mappedOpaque(String text) {
    return Normalizer2.getNFCInstance().normalize(withPlainSpaces(text));
  }

  // RFC 8264, section 7: a string that changes when it is prepared again must be rejected, because
  // the same address would have two forms.
  private static JidFormatException unstable() {
    return new JidFormatException("a part that has no stable form");
  }

  private static String mappedUsername(String text) {
    return Normalizer2.getNFCInstance()
        .normalize(UCharacter.toLowerCase(ULocale.ROOT, withPlainWidth(text)));
  }

  private static String withPlainWidth(String text) {
    Normalizer2 nfkc = Normalizer2.getNFKCInstance();
    StringBuilder mapped = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          switch (UCharacter.getIntPropertyValue(c, UProperty.DECOMPOSITION_TYPE)) {
            case DecompositionType.WIDE, DecompositionType.NARROW ->
                mapped.append(nfkc.getRawDecomposition(c));
            default -> mapped.appendCodePoint(c);
          }
        });
    return mapped.toString();
  }

  private static String withPlainSpaces(String text) {
    char[] chars = text.toCharArray();
    for (int i = 0; i < chars.length; i++) {
      // All of them are in the basic multilingual plane.
      if (chars[i] > 0x7F && UCharacter.getType(chars[i]) == UCharacterCategory.SPACE_SEPARATOR) {
        chars[i] = ' ';
      }
    }
    return new String(chars);
  }
}
