package im.zonda.directory;

import im.zonda.jid.Jid;
import java.io.IOException;

/// Writes what the server keeps of an account as one XML document (XEP-0227).
public interface AccountExport {
  /// Where the document goes.
  @FunctionalInterface
  interface Sink {
    /// Writes bytes; waits until they are taken.
    ///
    /// @throws IOException if no one takes them
    void write(byte[] source, int offset, int length) throws IOException;
  }

  /// Whether accounts can be exported.
  boolean isOn();

  /// Writes the document in parts of bounded size, however much the account has. Blocks.
  ///
  /// @param account a bare address of the host
  /// @throws IOException if the sink does
  /// @throws im.zonda.store.StoreException if something cannot be read; the document is incomplete
  void write(Jid account, Sink sink) throws IOException;
}
