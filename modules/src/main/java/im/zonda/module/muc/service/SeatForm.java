package im.zonda.module.muc.service;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.service.SeatForm.SavedSeat;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.store.OnceFile;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How it is written into a file in the data folder who was in which room, between a clean stop of
/// the server and its next start.
///
/// Without it, clients find out that they are in no room any more (XEP-0410) and enter again.
final class SeatForm implements OnceFile.Form<SavedSeat> {
  private static final int FORMAT = 0x5a52_0001;

  private SeatForm() {}

  /// A session in a room.
  ///
  /// @param address the room's address with the nickname
  /// @param announced whether everyone in the room has been told of the occupant
  /// @param shown its last presence as others see it, or null
  record SavedSeat(
      Jid address, Jid session, Role role, boolean announced, @Nullable Presence shown) {}

  /// The file in that data folder of the service at `domain`.
  static OnceFile<SavedSeat> in(Path data, Jid domain) {
    return new OnceFile<>(
        data.resolve("seats." + domain.domain()), "seats", FORMAT, new SeatForm());
  }

  @Override
  public void write(SavedSeat seat, DataOutputStream out) throws IOException {
    OnceFile.writeText(seat.address().utf8(), out);
    OnceFile.writeText(seat.session().utf8(), out);
    out.writeUTF(seat.role().value());
    out.writeBoolean(seat.announced());
    Presence shown = seat.shown();
    ByteArraySink sink = new ByteArraySink(256);
    if (shown != null) {
      shown.writeTo(sink);
    }
    OnceFile.writeText(sink.toByteArray(), out);
  }

  @Override
  public SavedSeat read(DataInputStream in)
      throws IOException, XmlException, StanzaFormatException {
    Jid address = Jid.of(OnceFile.readText(in));
    Jid session = Jid.of(OnceFile.readText(in));
    Role role = Role.of(in.readUTF());
    boolean announced = in.readBoolean();
    String shown = OnceFile.readText(in);
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
}
