package im.zonda.store;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Converts the ids of log entries to and from the ids that clients see: in `<stanza-id/>`
/// (XEP-0359) and in the archive (XEP-0313).
///
/// An entry's id is a time. What clients see must be unpredictable (XEP-0313, section 3), so it
/// shows neither the time nor the order of entries. One entry has one id for all clients, and the
/// same after a restart.
///
/// Thread-safe. Calls do not block.
public interface StanzaIds {
  /// The name of the element.
  QName NAME = new QName("urn:xmpp:sid:0", "stanza-id");

  /// The id that clients see: ASCII letters in lower case and digits, nothing that needs escaping.
  String encode(long id);

  /// The entry's id for an id that a client has sent; empty if this server has not assigned it. The
  /// decimal digits that earlier versions assigned are accepted for any entry.
  ///
  /// A result does not mean that the entry exists, or that the client may know it.
  OptionalLong decode(String text);

  /// The `<stanza-id/>` of an entry as XML, in UTF-8.
  ///
  /// @param by the bare address of the account or room that assigns it
  byte[] element(Jid by, long id);

  /// The entry's id in the `<stanza-id/>` that `by` has assigned to a message; empty if there is
  /// none or it is not one of this server.
  default OptionalLong find(Message message, Jid by) {
    String text = assigned(message, by);
    return text == null ? OptionalLong.empty() : decode(text);
  }

  /// The id by which clients know a stored message. It is the one in its `<stanza-id/>` even if
  /// that has an earlier form, so that a message keeps its id over an update of the server.
  ///
  /// @param owner whose entry the message is
  /// @param id the entry's id
  default String ofStored(Message message, Jid owner, long id) {
    String text = assigned(message, owner);
    if (text != null) {
      OptionalLong found = decode(text);
      if (found.isPresent() && found.getAsLong() == id) {
        return text;
      }
    }
    return encode(id);
  }

  /// The id that `by` has assigned to a message, as clients see it; null if there is none.
  static @Nullable String assigned(Message message, Jid by) {
    if (message.has(NAME)) {
      String address = by.toString();
      for (Element payload : message.payloads()) {
        if (payload.name().equals(NAME) && address.equals(payload.attribute("by"))) {
          return payload.attribute("id");
        }
      }
    }
    return null;
  }
}
