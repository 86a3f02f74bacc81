package im.zonda.cluster.frame;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The bytes of a stanza. Nobody changes them.
public final class StanzaBytes {
  private final byte[] bytes;

  /// @param bytes taken over, not copied
  public StanzaBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /// The bytes, not copied.
  public byte[] array() {
    return bytes;
  }

  /// The number of bytes.
  public int size() {
    return bytes.length;
  }

  /// The bytes as text.
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StanzaBytes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return text();
  }
}
