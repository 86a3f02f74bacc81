package im.zonda.provider.hash;

/// Bytes as crypt writes them: groups of six bits, the lowest first.
final class CryptText {
  static final String ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private static final int SIX_BITS = 0x3f;

  private CryptText() {}

  /// Appends `chars` characters of a number.
  static void append(StringBuilder out, int number, int chars) {
    for (int i = 0; i < chars; i++) {
      out.append(ALPHABET.charAt((number >>> (6 * i)) & SIX_BITS));
    }
  }
}
