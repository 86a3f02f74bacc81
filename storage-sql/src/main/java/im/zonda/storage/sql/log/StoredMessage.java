package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.store.MessageLog;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// How stanzas are kept: as the XML that goes on a client's stream.
public final class StoredMessage {
  private StoredMessage() {}

  /// A row of the log that cannot be what was written.
  public static final class DamagedRow extends Exception {
    private static final long serialVersionUID = 1;

    DamagedRow(String message, Throwable cause) {
      super(message, cause);
    }

    DamagedRow(String message) {
      super(message);
    }
  }

  /// The CRC-32C of all of a row that does not change.
  public static long checksum(long id, long ownerId, Jid peer, byte[] stanza) {
    CRC32C crc = new CRC32C();
    byte[] numbers = new byte[16];
    for (int i = 0; i < 8; i++) {
      numbers[i] = (byte) (id >>> (8 * i));
      numbers[8 + i] = (byte) (ownerId >>> (8 * i));
    }
    crc.update(numbers);
    crc.update(peer.utf8());
    crc.update(stanza);
    return crc.getValue();
  }

  /// An entry from its row.
  ///
  /// @throws DamagedRow if the row is not what was written
  static MessageLog.Entry entry(
      Jid owner, long ownerId, long id, String peer, byte[] stanza, long checksum)
      throws DamagedRow {
    try {
      Jid with = Jid.of(peer);
      if (checksum(id, ownerId, with, stanza) != checksum) {
        throw new DamagedRow("the checksum does not match");
      }
      if (parse(stanza) instanceof Message message) {
        return new MessageLog.Entry(owner, id, with, message);
      }
      throw new DamagedRow("not a message");
    } catch (JidFormatException | XmlException | StanzaFormatException e) {
      throw new DamagedRow(String.valueOf(e.getMessage()), e);
    }
  }

  /// A message from its column alone.
  ///
  /// @throws DamagedRow if it is not what was written
  public static Message message(byte[] stanza) throws DamagedRow {
    try {
      if (parse(stanza) instanceof Message message) {
        return message;
      }
      throw new DamagedRow("not a message");
    } catch (XmlException | StanzaFormatException e) {
      throw new DamagedRow(String.valueOf(e.getMessage()), e);
    }
  }

  /// A subscription request from its column.
  ///
  /// @throws DamagedRow if it is not what was written
  public static Presence presence(byte[] stanza) throws DamagedRow {
    try {
      if (parse(stanza) instanceof Presence presence) {
        return presence;
      }
      throw new DamagedRow("not presence");
    } catch (XmlException | StanzaFormatException e) {
      throw new DamagedRow(String.valueOf(e.getMessage()), e);
    }
  }

  private static Stanza parse(byte[] stanza) throws XmlException, StanzaFormatException {
    return Stanza.of(
        XmlParser.frame(new String(stanza, StandardCharsets.UTF_8), Namespaces.CLIENT));
  }
}
