package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.module.SavedState;
import im.zonda.module.muc.SeatForm.SavedSeat;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlParser;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// How it is written into a file in the data folder who was in which room, between a clean stop of
/// the server and its next start.
///
/// Without it, clients find out that they are in no room any more (XEP-0410) and enter again.
final class SeatForm implements SavedState.Form<SavedSeat> {
  private static final int FORMAT = 0x5a52_0001;

  private static final int MAX_TEXT_BYTES = 1 << 26;

  /// A session in a room.
  ///
  /// @param address the room's address with the nickname
  /// @param announced whether everyone in the room has been told of the occupant
  /// @param shown its last presence as others see it, or null
  record SavedSeat(
      Jid address, Jid session, Role role, boolean announced, @Nullable Presence shown) {}

  @Override
  public String name() {
    return "seats";
  }

  @Override
  public int version() {
    return FORMAT;
  }

  @Override
  public void write(SavedSeat seat, DataOutput out) throws IOException {
    writeText(seat.address().utf8(), out);
    writeText(seat.session().utf8(), out);
    out.writeUTF(seat.role().value());
    out.writeBoolean(seat.announced());
    Presence shown = seat.shown();
    ByteArraySink sink = new ByteArraySink(256);
    if (shown != null) {
      shown.writeTo(sink);
    }
    writeText(sink.toByteArray(), out);
  }

  @Override
  public SavedSeat read(DataInput in) throws IOException, XmlException, StanzaFormatException {
    Jid address = Jid.of(readText(in));
    Jid session = Jid.of(readText(in));
    Role role = Role.of(in.readUTF());
    boolean announced = in.readBoolean();
    String shown = readText(in);
    if (role == null || address.resource() == null || session.resource() == null) {
      throw new IOException("an impossible seat");
    }
    return new SavedSeat(address, session, role, announced, presence(shown));
  }

  private static @Nullable Presence presence(String xml)
      throws XmlException, StanzaFormatException {
    return !xml.isEmpty()
            && Stanza.of(XmlParser.frame(xml, Namespaces.CLIENT)) instanceof Presence presence
        ? presence
        : null;
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
