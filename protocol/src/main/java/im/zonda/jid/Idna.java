package im.zonda.jid;

import com.ibm.icu.text.IDNA;
import java.util.Set;

/// Internationalised domain names (IDNA2008 by way of UTS 46, non-transitional).
final class Idna {
  private static final IDNA UTS46 =
      IDNA.getUTS46Instance(
          IDNA.NONTRANSITIONAL_TO_ASCII
              | IDNA.NONTRANSITIONAL_TO_UNICODE
              | IDNA.CHECK_BIDI
              | IDNA.CHECK_CONTEXTJ
              | IDNA.CHECK_CONTEXTO
              | IDNA.USE_STD3_RULES);

  // RFC 7622 allows a domainpart of 1023 bytes; the shorter limit of DNS applies when connecting.
  private static final Set<IDNA.Error> ALLOWED = Set.of(IDNA.Error.DOMAIN_NAME_TOO_LONG);

  private Idna() {}

  /// Converts the name to U-labels.
  ///
  /// @throws JidFormatException if a label is not valid
  static String toUnicode(String name) {
    String unicode = convert(name, true);
    String stripped = unicode.endsWith(".") ? unicode.substring(0, unicode.length() - 1) : unicode;
    // The A-label form has its own limit (63 bytes per label), and both forms must mean the same
    // name.
    String ascii = convert(stripped, false);
    if (!convert(ascii, true).equals(stripped)) {
      throw new JidFormatException("a domain that has no stable form");
    }
    stripped.codePoints().forEach(Idna::checkCodePoint);
    return stripped;
  }

  /// Converts a name of U-labels to A-labels.
  static String toAscii(String name) {
    return convert(name, false);
  }

  private static String convert(String name, boolean unicode) {
    IDNA.Info info = new IDNA.Info();
    StringBuilder converted = new StringBuilder(name.length() + 16);
    if (unicode) {
      UTS46.nameToUnicode(name, converted, info);
    } else {
      UTS46.nameToASCII(name, converted, info);
    }
    for (IDNA.Error error : info.getErrors()) {
      if (!ALLOWED.contains(error)) {
        throw new JidFormatException("a domain with the error " + error);
      }
    }
    return converted.toString();
  }

  // UTS 46 accepts symbols such as emoji; IDNA2008 (RFC 5892) does not.
  private static void checkCodePoint(int c) {
    boolean valid =
        switch (Character.getType(c)) {
          case Character.UPPERCASE_LETTER, Character.TITLECASE_LETTER -> false;
          case Character.LOWERCASE_LETTER,
              Character.OTHER_LETTER,
              Character.MODIFIER_LETTER,
              Character.NON_SPACING_MARK,
              Character.COMBINING_SPACING_MARK,
              Character.DECIMAL_DIGIT_NUMBER ->
              true;
          // The context rules for these have been checked: RFC 5892, appendix A.
          default ->
              switch (c) {
                case '.', '-', 0xB7, 0x375, 0x5F3, 0x5F4, 0x200C, 0x200D, 0x30FB, 0x3007 -> true;
                default -> false;
              };
        };
    if (!valid) {
      throw new JidFormatException("a symbol in the domain");
    }
  }
}
