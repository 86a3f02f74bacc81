package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.text.Normalizer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Nicknames as people compare them (RFC 8266). They come as resourceparts, which have been
/// prepared already: what cannot be seen is not in them.
public final class Nickname {
  private static final int MOST_CHARS = 100;

  private Nickname() {}

  /// What two nicknames have in common when they are the same to people: compatibility forms, case
  /// and white space do not tell them apart.
  public static String key(String nick) {
    if (isPlain(nick)) {
      return nick;
    }
    String folded = Normalizer.normalize(nick, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    String spaced = folded.strip().replaceAll("\\p{Z}+", " ");
    return Normalizer.normalize(spaced, Normalizer.Form.NFKC);
  }

  /// Whether it may be used: something can be seen of it, and it does not fill the screen.
  public static boolean isFit(String nick) {
    return !nick.isBlank() && nick.length() <= MOST_CHARS;
  }

  /// A nickname that comes as plain text, prepared as resourceparts are; null if it may not be
  /// used.
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
