package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIds;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Converts stanzas to and from their stored form: XML as on a client's stream.
public final class StoredMessage {

  private StoredMessage() {}

  /// Thrown for a row that does not match its checksum or cannot be parsed.
  public static final class DamagedRow extends Exception {
    private static final long serialVersionUID = 1;

    DamagedRow(String message, Throwable cause) {
      super(message, cause);
    }

    DamagedRow(String message) {
      super(message);
    }
  }

  /// The CRC-32C of the columns of a row that never change.
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

  /// Reads an entry from its row.
  ///
  /// @throws DamagedRow if the row is damaged
  static MessageLog.Entry entry(
      Jid owner, long ownerId, long id, String peer, byte[] stanza, long checksum)
      throws DamagedRow {
    try {
      Jid with = Jid.stored(peer);
      if (checksum(id, ownerId, with, stanza) != checksum) {
        throw new DamagedRow("the checksum does not match");
      }
      if (parse(stanza) instanceof Message message) {
        return new MessageLog.Entry(owner, id, with, message);
      }
      throw new DamagedRow("not a message");
    } catch (XmlException | StanzaFormatException | RuntimeException e) {
      throw new DamagedRow(String.valueOf(e.getMessage()), e);
    }
  }

  /// Reads the entry of the message's sender from a row that it shares with the receiver: the same
  /// message without the receiver's id.
  ///
  /// @throws DamagedRow if the row is damaged
  static MessageLog.Entry sentEntry(Jid owner, StoredRow row) throws DamagedRow {
    StoredRow.Replaced replaced = row.replaced();
    MessageLog.Entry entry =
        replaced == null
            ? entry(owner, row.ownerId(), row.id(), row.peer(), row.stanza(), row.checksum())
            : entry(
                owner,
                row.senderId(),
                row.id(),
                replaced.peer(),
                replaced.stanza(),
                replaced.checksum());
    Jid with = replaced == null ? entry.message().to() : entry.with();
    Jid from = entry.message().from();
    if (with == null || (replaced == null && (from == null || !from.bare().equals(owner)))) {
      throw new DamagedRow("not a message of its sender");
    }
    return new MessageLog.Entry(owner, row.id(), with, withoutIdOf(with, entry.message()));
  }

  private static Message withoutIdOf(Jid receiver, Message message) {
    String by = receiver.bare().toString();
    return message.withoutPayloads(StanzaIds.NAME, stanzaId -> by.equals(stanzaId.attribute("by")));
  }

  /// The other party of the sender in a row that it shares with the receiver.
  ///
  /// @param peer the column `sender_peer`
  /// @throws DamagedRow if the message is damaged
  public static String senderPeer(@Nullable String peer, byte[] stanza) throws DamagedRow {
    if (peer != null) {
      return peer;
    }
    Jid to = message(stanza).to();
    if (to == null) {
      throw new DamagedRow("not a message of its sender");
    }
    return to.toString();
  }

  /// Reads a message from its column alone.
  ///
  /// @throws DamagedRow if it is damaged
  public static Message message(byte[] stanza) throws DamagedRow {
    try {
      if (parse(stanza) instanceof Message message) {
        return message;
      }
      throw new DamagedRow("not a message");
    } catch (XmlException | StanzaFormatException | RuntimeException e) {
      throw new DamagedRow(String.valueOf(e.getMessage()), e);
    }
  }

  /// Reads a subscription request from its column.
  ///
  /// @throws DamagedRow if it is damaged
  public static Presence presence(byte[] stanza) throws DamagedRow {
    try {
      if (parse(stanza) instanceof Presence presence) {
        return presence;
      }
      throw new DamagedRow("not presence");
    } catch (XmlException | StanzaFormatException | RuntimeException e) {
      throw new DamagedRow(String.valueOf(e.getMessage()), e);
    }
  }

  private static Stanza parse(byte[] stanza) throws XmlException, StanzaFormatException {
    return Stanza.reread(
        XmlParser.frame(new String(stanza, StandardCharsets.UTF_8), Namespaces.CLIENT));
  }
}
