package im.zonda.provider.program;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Questions of the extauth protocol as bytes.
final class Questions {
  /// The most bytes after the length.
  static final int MOST_BYTES = 65_535;

  private Questions() {}

  /// Whether that is the password of an account. Null if it cannot be asked: the program would take
  /// a part of a name for another field, or the question is longer than [#MOST_BYTES].
  static byte @Nullable [] password(String local, String domain, String password) {
    return of("auth", local, domain, ':' + password);
  }

  /// Whether there is an account. Null if it cannot be asked.
  static byte @Nullable [] account(String local, String domain) {
    return of("isuser", local, domain, "");
  }

  /// Sets the password of an account. Null if it cannot be asked.
  static byte @Nullable [] newPassword(String local, String domain, String password) {
    return of("setpass", local, domain, ':' + password);
  }

  private static byte @Nullable [] of(String operation, String local, String domain, String rest) {
    if (!isField(local) || !isField(domain)) {
      return null;
    }
    byte[] text = (operation + ':' + local + ':' + domain + rest).getBytes(StandardCharsets.UTF_8);
    if (text.length > MOST_BYTES) {
      return null;
    }
    return ByteBuffer.allocate(2 + text.length).putShort((short) text.length).put(text).array();
  }

  private static boolean isField(String text) {
    return text.indexOf(':') < 0 && text.chars().noneMatch(Character::isISOControl);
  }
}
