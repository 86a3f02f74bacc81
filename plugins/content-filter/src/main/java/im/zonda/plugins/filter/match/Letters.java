package im.zonda.plugins.filter.match;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.Map;

/// Which characters stand for which letters.
final class Letters {
  private static final int[] DISGUISES = disguises();

  /// Letters and signs that stand for a Latin letter, whatever is beside them.
  private static final Map<Integer, Integer> SIGNS =
      table(
          "ѕs һh ԁd ԛq ԝw ӏl ɡg ɑa ɩi օo ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt"
              + " ᴜu ᴠv ᴡw ʏy ᴢz ꭰd ꭱr ꭺa ꮤw ꮥs ꮷj ꮪs ꮯc ꮲp ꮶk ꮋh ꮮl ꮇm ꮓz ꮩv ꮖi ɨi ʉu ƀb đd ħh ŧt łl"
              + " øo ɵo ɛe ɔo ʂs ɦh ƙk");

  /// Letters of the Cyrillic and the Greek alphabet that look like a Latin letter, and are that
  /// only beside Latin letters.
  private static final Map<Integer, Integer> LOOKALIKES =
      table(
          "аa вb еe зz иu кk мm нh оo пn рp сc тt уy хx іi јj ґr ёe їi ѵv αa βb εe ηn ιi κk νv οo ρp"
              + " σo τt υu χx ωw γy μu");

  private static final int[] UNMARKED = unmarked();

  private Letters() {}

  // Without n with a tilde, which is a letter of its own in Spanish: "ano" is not "año".
  private static int[] unmarked() {
    int[] letters = new int[0x350];
    for (int i = 0xC0; i < letters.length; i++) {
      int codePoint = i < 0x250 ? i : i - 0x250 + 0x1E00;
      String parts = Normalizer.normalize(Character.toString(fold(codePoint)), Normalizer.Form.NFD);
      boolean hasMarks = parts.length() > 1 && parts.charAt(0) >= 'a' && parts.charAt(0) <= 'z';
      letters[i] = hasMarks && fold(codePoint) != 0xF1 ? parts.charAt(0) : 0;
    }
    return letters;
  }

  private static Map<Integer, Integer> table(String pairs) {
    Map<Integer, Integer> letters = new HashMap<>();
    for (String pair : pairs.split(" ", -1)) {
      int sign = pair.codePointAt(0);
      letters.put(sign, pair.codePointAt(Character.charCount(sign)));
    }
    return Map.copyOf(letters);
  }

  private static int[] disguises() {
    int[] letters = new int[0x80];
    String pairs = "0o1i2z3e4a5s6g7t8b9g@a$s!i|i+t(c";
    for (int i = 0; i < pairs.length(); i += 2) {
      letters[pairs.charAt(i)] = pairs.charAt(i + 1);
    }
    return letters;
  }

  /// The letter for which a digit or sign may stand, or 0.
  static int disguised(int codePoint) {
    if (codePoint < 0x80) {
      return DISGUISES[codePoint];
    }
    return switch (codePoint) {
      case '€' -> 'e';
      case '£' -> 'l';
      case '¢' -> 'c';
      case '¡' -> 'i';
      case '§' -> 's';
      case '¥' -> 'y';
      default -> 0;
    };
  }

  /// Whether it may stand for `l` as well as for `i`.
  static boolean isAmbiguous(int codePoint) {
    return codePoint == '1' || codePoint == '|' || codePoint == '!';
  }

  /// Whether it is an ordinary sign at the end of a word.
  static boolean isOrdinaryAtEnd(int codePoint) {
    return switch (codePoint) {
      case '!', '|', '+', '(', '€', '£', '¢', '§', '¥' -> true;
      default -> false;
    };
  }

  /// The Latin letter for which a letter or sign stands, whatever is beside it: the letter without
  /// its marks, or the one that it looks like. 0 if there is none.
  static int plain(int codePoint) {
    if (codePoint < 0xC0
        || (codePoint >= 0x410 && codePoint <= 0x44F)
        || (codePoint >= 0x3040 && codePoint <= 0x9FFF)
        || (codePoint >= 0xAC00 && codePoint <= 0xD7A3)) {
      return 0;
    }
    if (codePoint < 0x250 || (codePoint >= 0x1E00 && codePoint < 0x1F00)) {
      int letter = UNMARKED[codePoint < 0x250 ? codePoint : codePoint - 0x1E00 + 0x250];
      return letter != 0 ? letter : SIGNS.getOrDefault(codePoint, 0);
    }
    if (codePoint >= 0x1F1E6 && codePoint <= 0x1F1FF) { // the letters of flags
      return 'a' + codePoint - 0x1F1E6;
    }
    if (codePoint >= 0x1F150 && codePoint <= 0x1F169) { // letters in black circles
      return 'a' + codePoint - 0x1F150;
    }
    if (codePoint >= 0x1F170 && codePoint <= 0x1F189) { // letters in black squares
      return 'a' + codePoint - 0x1F170;
    }
    return SIGNS.getOrDefault(codePoint, 0);
  }

  /// The Latin letter that a letter of another alphabet looks like, or 0.
  static int lookalike(int codePoint) {
    return codePoint < 0x370 || codePoint > 0x4FF ? 0 : LOOKALIKES.getOrDefault(codePoint, 0);
  }

  /// The same letter in the one case that is compared.
  static int fold(int codePoint) {
    if (codePoint < 0x80) {
      return codePoint >= 'A' && codePoint <= 'Z' ? codePoint + 32 : codePoint;
    }
    return Character.toLowerCase(Character.toUpperCase(codePoint));
  }

  /// Whether it is part of a word.
  static boolean isWord(int codePoint) {
    if (codePoint < 0x80) {
      return (codePoint >= 'a' && codePoint <= 'z')
          || (codePoint >= 'A' && codePoint <= 'Z')
          || (codePoint >= '0' && codePoint <= '9');
    }
    return Character.isLetterOrDigit(codePoint) || NormalText.isMark(codePoint);
  }

  /// Whether it is a sign that stands for itself, such as an emoji.
  static boolean isSymbol(int codePoint) {
    return codePoint >= 0xA6 && Character.getType(codePoint) == Character.OTHER_SYMBOL;
  }

  /// Whether it is of a script that does not separate words.
  static boolean isUnseparated(int codePoint) {
    return codePoint >= 0xE00
        && ((codePoint <= 0xEFF)
            || (codePoint >= 0x1000 && codePoint <= 0x109F)
            || (codePoint >= 0x1780 && codePoint <= 0x17FF)
            || (codePoint >= 0x3040 && codePoint <= 0x30FF)
            || (codePoint >= 0x3400 && codePoint <= 0x9FFF)
            || (codePoint >= 0x20000 && codePoint <= 0x3FFFF)
            || isSymbol(codePoint));
  }

  /// Whether a letter is so rarely double in a word that two of it are a disguise.
  static boolean isRarelyDouble(int codePoint) {
    return switch (codePoint) {
      case 'a', 'i', 'u', 'h', 'j', 'q', 'v', 'w', 'x', 'y' -> true;
      default -> false;
    };
  }
}
