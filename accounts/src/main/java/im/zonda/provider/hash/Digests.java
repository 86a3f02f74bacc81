package im.zonda.provider.hash;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Hash functions that every Java runtime has.
final class Digests {
  private Digests() {}

  static MessageDigest of(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no " + name, e);
    }
  }
}
