package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.text.Normalizer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Comparison and validation of nicknames (RFC 8266). A nickname is a resourcepart, which is
/// prepared already.
public final class Nickname {
  private static final int MAX_CHARS = 100;

  private Nickname() {}

  /// Returns a key that equivalent nicknames share: it folds compatibility forms, case and white
  /// space.
  public static String key(String nick) {
    if (isPlain(nick)) {
      return nick;
    }
    String folded = Normalizer.normalize(nick, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    String spaced = folded.strip().replaceAll("\\p{Z}+", " ");
    return Normalizer.normalize(spaced, Normalizer.Form.NFKC);
  }

  /// Whether a nickname may be used: it is not blank and not too long.
  public static boolean isFit(String nick) {
    return !nick.isBlank() && nick.length() <= MAX_CHARS;
  }

  /// Prepares a nickname that comes as plain text; null if it may not be used.
  public static @Nullable String prepare(Jid room, String nick) {
    try {
      String prepared = room.withResource(nick).resource();
      return prepared != null && isFit(prepared) ? prepared : null;
    } catch (JidFormatException e) {
      return null;
    }
  }

  private static boolean isPlain(String nick) {
    for (int i = 0; i < nick.length(); i++) {
      char c = nick.charAt(i);
      if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) {
        return false;
      }
    }
    return true;
  }
}
