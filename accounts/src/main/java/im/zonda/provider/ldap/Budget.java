package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.SearchResultEntry;
import im.zonda.account.provider.ProviderException;
import org.jspecify.annotations.Nullable;

/// Counts what a directory may still send for one question. Confined to one thread.
final class Budget {
  private int entries;
  private long bytes;
  private boolean exceeded;

  /// @param entries the most entries
  /// @param bytes the most bytes of their names and values
  Budget(int entries, long bytes) {
    this.entries = entries;
    this.bytes = bytes;
  }

  /// Takes one entry. The library has no other way to leave a search than an exception.
  ///
  /// @throws Exceeded if that is too much
  void take(SearchResultEntry entry) {
    entries--;
    bytes -= entry.getDN().length();
    for (Attribute attribute : entry.getAttributes()) {
      for (byte[] value : attribute.getValueByteArrays()) {
        bytes -= value.length + 16;
      }
    }
    if (entries < 0 || bytes < 0) {
      exceeded = true;
      throw new Exceeded();
    }
  }

  /// @throws ProviderException if it was exceeded
  void check(@Nullable Throwable cause) throws ProviderException {
    if (exceeded) {
      throw new ProviderException("the directory sends too many entries, or too large ones", cause);
    }
  }

  /// More was sent than is read.
  static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1;

    Exceeded() {
      super("too much", null, false, false);
    }
  }
}
