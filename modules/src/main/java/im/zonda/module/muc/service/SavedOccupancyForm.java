package im.zonda.module.muc.service;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.service.SavedOccupancyForm.SavedOccupancy;
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

/// Writes occupants to a file in the data folder at a clean stop, for the next start.
///
/// Without the file, clients detect that they are not in the room any more (XEP-0410) and enter
/// again.
final class SavedOccupancyForm implements OnceFile.Form<SavedOccupancy> {
  private static final int FORMAT = 0x5a52_0001;

  private SavedOccupancyForm() {}

  /// A session in a room.
  ///
  /// @param address the room's address with the nickname
  /// @param announced whether the occupant's presence was sent to all occupants
  /// @param presence its latest presence as others see it, or null
  record SavedOccupancy(
      Jid address, Jid session, Role role, boolean announced, @Nullable Presence presence) {}

  /// The file of the service at `domain` in that data folder.
  static OnceFile<SavedOccupancy> in(Path data, Jid domain) {
    return new OnceFile<>(
        data.resolve("occupants." + domain.domain()),
        "occupants",
        FORMAT,
        new SavedOccupancyForm());
  }

  @Override
  public void write(SavedOccupancy occupancy, DataOutputStream out) throws IOException {
    OnceFile.writeText(occupancy.address().utf8(), out);
    OnceFile.writeText(occupancy.session().utf8(), out);
    out.writeUTF(occupancy.role().value());
    out.writeBoolean(occupancy.announced());
    Presence shown = occupancy.presence();
    ByteArraySink sink = new ByteArraySink(256);
    if (shown != null) {
      shown.writeTo(sink);
    }
    OnceFile.writeText(sink.toByteArray(), out);
  }

  @Override
  public SavedOccupancy read(DataInputStream in)
      throws IOException, XmlException, StanzaFormatException {
    Jid address = Jid.of(OnceFile.readText(in));
    Jid session = Jid.of(OnceFile.readText(in));
    Role role = Role.of(in.readUTF());
    boolean announced = in.readBoolean();
    String shown = OnceFile.readText(in);
    if (role == null || address.resource() == null || session.resource() == null) {
      throw new IOException("an impossible occupancy");
    }
    return new SavedOccupancy(address, session, role, announced, presence(shown));
  }

  private static @Nullable Presence presence(String xml)
      throws XmlException, StanzaFormatException {
    return !xml.isEmpty()
            && Stanza.of(XmlParser.frame(xml, Namespaces.CLIENT)) instanceof Presence presence
        ? presence
        : null;
  }
}
