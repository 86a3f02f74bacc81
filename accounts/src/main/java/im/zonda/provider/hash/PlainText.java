package im.zonda.provider.hash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// The password itself.
final class PlainText implements StoredPassword {
  private final byte[] expected;

  PlainText(String text) {
    expected = text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean matches(String password) {
    return MessageDigest.isEqual(password.getBytes(StandardCharsets.UTF_8), expected);
  }
}
