package im.zonda.storage.sql.archive;

import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Splits text into words for full-text search: runs of letters and digits without case and
/// accents, and each character of scripts that are written without spaces. All other characters are
/// ignored, so no text is interpreted as query syntax.
final class SearchWords {
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");

  /// Maximum number of characters of a word; the rest is ignored.
  private static final int LENGTH = 40;

  /// Maximum number of different words of a text; the rest is ignored.
  private static final int MOST = 2_000;

  private SearchWords() {}

  /// The different words of a text.
  static Set<String> of(String text) {
    String plain = Normalizer.normalize(text, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT);
    Set<String> words = new LinkedHashSet<>();
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < plain.length() && words.size() < MOST; ) {
      int point = plain.codePointAt(i);
      i += Character.charCount(point);
      if (isMark(point)) {
        continue;
      }
      if (!Character.isLetterOrDigit(point)) {
        end(word, words);
      } else if (isUnspaced(point)) {
        end(word, words);
        words.add(Character.toString(point));
      } else if (word.length() < LENGTH) {
        word.appendCodePoint(point);
      }
    }
    end(word, words);
    return words;
  }

  /// The different words of a message's bodies, of all together not more than of one text: a
  /// database has a limit for the words of a row.
  static Set<String> of(Message message) {
    Set<String> words = new LinkedHashSet<>();
    for (Element payload : message.payloads()) {
      if (payload.name().equals(BODY)) {
        words.addAll(of(payload.text()));
      }
    }
    return words.size() <= MOST
        ? words
        : words.stream().limit(MOST).collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /// The words of a message as they are indexed: each prefixed with the owner's id, so that a
  /// search finds no messages of other owners.
  static String tokens(long owner, Message message) {
    return String.join(" ", tokens(owner, of(message)));
  }

  /// The words of an owner as they are indexed.
  static List<String> tokens(long owner, Set<String> words) {
    String prefix = Long.toString(owner, Character.MAX_RADIX) + '_';
    return words.stream().map(word -> prefix + word).toList();
  }

  private static void end(StringBuilder word, Set<String> words) {
    if (!word.isEmpty()) {
      words.add(word.toString());
      word.setLength(0);
    }
  }

  private static boolean isMark(int point) {
    return switch (Character.getType(point)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK ->
          true;
      default -> false;
    };
  }

  private static boolean isUnspaced(int point) {
    if (point < 0x0E00) {
      return false;
    }
    return switch (UnicodeScript.of(point)) {
      case HAN, HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR -> true;
      default -> false;
    };
  }
}
