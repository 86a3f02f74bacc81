package im.zonda.module.muc.service;

import im.zonda.jid.Jid;
import im.zonda.module.SavedState;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.service.SavedOccupancyCodec.SavedOccupancy;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes occupants to a file in the data folder at a clean stop, for the next start.
///
/// Without the file, clients detect that they are no longer in the room (XEP-0410) and enter again.
final class SavedOccupancyCodec implements SavedState.Codec<SavedOccupancy> {
  private static final Logger LOG = LoggerFactory.getLogger(SavedOccupancyCodec.class);
  private static final int FORMAT = 0x5a52_0001;

  private static final int MAX_TEXT_BYTES = 1 << 26;

  /// A session in a room.
  ///
  /// @param address the room's address with the nickname
  /// @param announced whether the occupant's presence was sent to all occupants
  /// @param presence its latest presence as others see it, or null
  /// @param enteredAt the id of the room's log at which it has entered; not written here
  record SavedOccupancy(
      Jid address,
      Jid session,
      Role role,
      boolean announced,
      @Nullable Presence presence,
      long enteredAt) {
    static SavedOccupancy of(Occupant occupant, OccupantSession session) {
      return new SavedOccupancy(
          occupant.address(),
          session.jid(),
          occupant.role(),
          occupant.isAnnounced(),
          session.presence(),
          session.enteredAt());
    }

    SavedOccupancy withEnteredAt(long id) {
      return new SavedOccupancy(address, session, role, announced, presence, id);
    }
  }

  @Override
  public String name() {
    return "occupants";
  }

  @Override
  public int version() {
    return FORMAT;
  }

  @Override
  public void write(SavedOccupancy occupancy, DataOutput out) throws IOException {
    writeText(occupancy.address().utf8(), out);
    writeText(occupancy.session().utf8(), out);
    out.writeUTF(occupancy.role().value());
    out.writeBoolean(occupancy.announced());
    Presence shown = occupancy.presence();
    ByteArraySink sink = new ByteArraySink(256);
    if (shown != null) {
      shown.writeTo(sink);
    }
    writeText(sink.toByteArray(), out);
  }

  @Override
  public SavedOccupancy read(DataInput in) throws IOException {
    String room = readText(in);
    String user = readText(in);
    Role role = Role.of(in.readUTF());
    boolean announced = in.readBoolean();
    String shown = readText(in);
    Jid address = Jid.stored(room);
    Jid session = Jid.stored(user);
    if (role == null || address.resource() == null || session.resource() == null) {
      throw new IOException("an impossible occupancy");
    }
    return new SavedOccupancy(address, session, role, announced, presence(shown), 0);
  }

  /// Null if it cannot be read: then the session is notified that it is not in the room.
  private static @Nullable Presence presence(String xml) {
    try {
      return !xml.isEmpty()
              && Stanza.reread(XmlParser.frame(xml, Namespaces.CLIENT)) instanceof Presence presence
          ? presence
          : null;
    } catch (XmlException | StanzaFormatException | RuntimeException e) {
      LOG.atError().setCause(e).log("occupant_presence_not_read");
      return null;
    }
  }

  private static void writeText(byte[] utf8, DataOutput out) throws IOException {
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  private static String readText(DataInput in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MAX_TEXT_BYTES) {
      throw new IOException("a text of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
