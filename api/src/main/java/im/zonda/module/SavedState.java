package im.zonda.module;

import im.zonda.jid.Jid;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.XmlException;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/// Keeps entries from a clean stop of the server to its next start, and no longer. For what the
/// module can do without: a failure is logged and no more. Calls block.
public interface SavedState {
  /// How entries are written and read.
  ///
  /// @param <T> an entry
  interface Codec<T> {
    /// A word that names the entries, in file names and in events of the log.
    String name();

    /// A number for the form and its version. Entries of another one are discarded.
    int version();

    /// Writes an entry. If it throws, that entry is left out.
    void write(T entry, DataOutput out) throws IOException;

    /// Reads what [#write] wrote. If it throws, that entry is discarded.
    T read(DataInput in) throws IOException, XmlException, StanzaFormatException;
  }

  /// Saves entries, in place of those saved before. To be called while the server stops.
  ///
  /// @param domain the domain that the entries belong to: the host's or a service's
  <T> void save(Jid domain, Codec<T> form, List<T> entries);

  /// Returns what was saved before the last start, once: the second call returns nothing. Empty if
  /// nothing was saved or it cannot be read.
  <T> List<T> take(Jid domain, Codec<T> form);
}
