package im.zonda.http;

/// Signs what is in URLs, with a key that is derived from the server's secret. All nodes of a
/// cluster have the same. A port; any thread may call, and calls do not block.
@FunctionalInterface
public interface Signer {
  /// The HMAC-SHA-256 of a text.
  ///
  /// @param purpose a word; signatures for one purpose say nothing about those for another
  byte[] sign(String purpose, String text);
}
