package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlParser;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A file in the data folder: who was in which room between a clean stop of the server and its next
/// start. It is read once and gone then, so that what it says can never be too old.
///
/// Without it, clients find out that they are in no room any more (XEP-0410) and enter again.
final class SeatFile {
  private static final Logger log = LoggerFactory.getLogger(SeatFile.class);
  private static final int FORMAT = 0x5a52_0001;
  private static final int MOST_BYTES = 1 << 24;

  private final Path file;

  /// A session in a room.
  ///
  /// @param address the room's address with the nickname
  /// @param announced whether everyone in the room has been told of the occupant
  /// @param shown its last presence as others see it, or null
  record SavedSeat(
      Jid address, Jid session, Role role, boolean announced, @Nullable Presence shown) {}

  /// @param domain the service whose rooms they are
  SeatFile(Path data, Jid domain) {
    file = data.resolve("seats." + domain.domain());
  }

  /// Writes the seats; a failure is logged, and costs the clients their seats.
  void write(List<SavedSeat> seats) {
    if (seats.isEmpty()) {
      return;
    }
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      create(fresh);
      try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        CRC32C crc = new CRC32C();
        DataOutputStream out =
            new DataOutputStream(
                new CheckedOutputStream(
                    new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16), crc));
        out.writeInt(FORMAT);
        out.writeInt(seats.size());
        for (SavedSeat seat : seats) {
          write(seat, out);
        }
        out.writeLong(crc.getValue());
        out.flush();
        channel.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      log.atInfo().addKeyValue("seats", seats.size()).log("seats_saved");
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log("seats_not_saved");
    }
  }

  /// Makes the file, for nobody else to read: it says who is where.
  private static void create(Path fresh) throws IOException {
    Files.deleteIfExists(fresh);
    if (Files.getFileStore(fresh.toAbsolutePath().getParent()).supportsFileAttributeView("posix")) {
      Files.createFile(
          fresh,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else {
      Files.createFile(fresh);
    }
  }

  /// Takes what was written last; empty if there is nothing or it cannot be read. The file is gone
  /// then.
  List<SavedSeat> take() {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      List<SavedSeat> seats = read();
      Files.delete(file);
      log.atInfo().addKeyValue("seats", seats.size()).log("seats_restored");
      return seats;
    } catch (IOException | RuntimeException | XmlException | StanzaFormatException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log("seats_not_restored");
      discard();
      return List.of();
    }
  }

  private void discard() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log("seats_not_discarded");
    }
  }

  private static void write(SavedSeat seat, DataOutputStream out) throws IOException {
    writeBytes(seat.address().utf8(), out);
    writeBytes(seat.session().utf8(), out);
    out.writeUTF(seat.role().value());
    out.writeBoolean(seat.announced());
    Presence shown = seat.shown();
    ByteArraySink sink = new ByteArraySink(256);
    if (shown != null) {
      shown.writeTo(sink);
    }
    writeBytes(sink.toByteArray(), out);
  }

  private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private List<SavedSeat> read() throws IOException, XmlException, StanzaFormatException {
    CRC32C crc = new CRC32C();
    try (DataInputStream in =
        new DataInputStream(
            new CheckedInputStream(new BufferedInputStream(Files.newInputStream(file)), crc))) {
      if (in.readInt() != FORMAT) {
        throw new IOException("not a file of seats, or of another version");
      }
      List<SavedSeat> seats = new ArrayList<>();
      for (int i = in.readInt(); i > 0; i--) {
        seats.add(seat(in));
      }
      long expected = crc.getValue();
      if (in.readLong() != expected) {
        throw new IOException("the checksum does not match");
      }
      return seats;
    }
  }

  private static SavedSeat seat(DataInputStream in)
      throws IOException, XmlException, StanzaFormatException {
    Jid address = Jid.of(text(in));
    Jid session = Jid.of(text(in));
    Role role = Role.of(in.readUTF());
    boolean announced = in.readBoolean();
    String shown = text(in);
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

  private static String text(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("an impossible length");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("the file ends too early");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
