package im.zonda.host;

import im.zonda.jid.Jid;
import im.zonda.router.SavedSession;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The file `sessions` in the data folder: sessions between a clean stop of the server and its next
/// start. It is read once and gone then, so that what it says can never be too old.
///
/// Without it nothing is lost: messages that the clients have not acknowledged wait in the log.
final class SessionFile {
  private static final Logger LOG = LoggerFactory.getLogger(SessionFile.class);
  private static final int FORMAT = 0x5a53_0001;
  private static final int MAX_STANZA = 1 << 26;

  private final Path file;

  /// The file in that data folder.
  SessionFile(Path data) {
    file = data.resolve("sessions");
  }

  /// Writes the sessions; a failure is logged and costs the clients a new login.
  void write(List<SavedSession> sessions) {
    if (sessions.isEmpty()) {
      return;
    }
    Path fresh = file.resolveSibling("sessions.new");
    try {
      create(fresh);
      try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        CRC32C crc = new CRC32C();
        DataOutputStream out =
            new DataOutputStream(
                new CheckedOutputStream(
                    new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16), crc));
        out.writeInt(FORMAT);
        out.writeInt(sessions.size());
        for (SavedSession session : sessions) {
          write(session, out);
        }
        out.writeLong(crc.getValue());
        out.flush();
        channel.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      LOG.atInfo().addKeyValue("sessions", sessions.size()).log("sessions_saved");
    } catch (IOException e) {
      LOG.atWarn().addKeyValue("file", file).setCause(e).log("sessions_not_saved");
    }
  }

  /// Makes the file, for nobody else to read: it holds messages.
  private static void create(Path fresh) throws IOException {
    Files.deleteIfExists(fresh);
    if (Files.getFileStore(fresh.getParent()).supportsFileAttributeView("posix")) {
      Files.createFile(
          fresh,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else {
      Files.createFile(fresh);
    }
  }

  /// Takes what was written last; empty if there is nothing or it cannot be read. The file is gone
  /// then.
  List<SavedSession> take() {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      List<SavedSession> sessions = read();
      Files.delete(file);
      LOG.atInfo().addKeyValue("sessions", sessions.size()).log("sessions_restored");
      return sessions;
    } catch (IOException | RuntimeException | XmlException | StanzaFormatException e) {
      LOG.atWarn().addKeyValue("file", file).setCause(e).log("sessions_not_restored");
      discard();
      return List.of();
    }
  }

  private void discard() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.atWarn().addKeyValue("file", file).setCause(e).log("sessions_not_discarded");
    }
  }

  private static void write(SavedSession session, DataOutputStream out) throws IOException {
    writeBytes(session.jid().toString().getBytes(StandardCharsets.UTF_8), out);
    out.writeUTF(session.id());
    out.writeLong(session.until().toEpochMilli());
    out.writeLong(session.handled());
    out.writeLong(session.acknowledged());
    out.writeInt(session.unacknowledged().size());
    for (Stanza stanza : session.unacknowledged()) {
      writeBytes(bytes(stanza), out);
    }
    Presence presence = session.presence();
    writeBytes(presence == null ? new byte[0] : bytes(presence), out);
    out.writeBoolean(session.catchingUp());
    out.writeInt(session.values().size());
    for (Map.Entry<String, String> value : session.values().entrySet()) {
      out.writeUTF(value.getKey());
      writeBytes(value.getValue().getBytes(StandardCharsets.UTF_8), out);
    }
  }

  private static byte[] bytes(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(stanza.writtenSize() + 16);
    stanza.writeTo(sink);
    return sink.toByteArray();
  }

  private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private List<SavedSession> read() throws IOException, XmlException, StanzaFormatException {
    CRC32C crc = new CRC32C();
    try (DataInputStream in =
        new DataInputStream(
            new CheckedInputStream(new BufferedInputStream(Files.newInputStream(file)), crc))) {
      if (in.readInt() != FORMAT) {
        throw new IOException("not a file of sessions, or of another version");
      }
      List<SavedSession> sessions = new ArrayList<>();
      for (int i = in.readInt(); i > 0; i--) {
        sessions.add(session(in));
      }
      long expected = crc.getValue();
      if (in.readLong() != expected) {
        throw new IOException("the checksum does not match");
      }
      return sessions;
    }
  }

  private static SavedSession session(DataInputStream in)
      throws IOException, XmlException, StanzaFormatException {
    Jid jid = Jid.of(text(in));
    String id = in.readUTF();
    Instant until = Instant.ofEpochMilli(in.readLong());
    long handled = in.readLong();
    long acknowledged = in.readLong();
    List<Stanza> unacknowledged = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      unacknowledged.add(stanza(text(in)));
    }
    String presence = text(in);
    boolean catchingUp = in.readBoolean();
    Map<String, String> values = new HashMap<>();
    for (int i = in.readInt(); i > 0; i--) {
      values.put(in.readUTF(), text(in));
    }
    return new SavedSession(
        jid,
        id,
        until,
        handled,
        acknowledged,
        unacknowledged,
        presence.isEmpty() ? null : presence(presence),
        catchingUp,
        values);
  }

  private static Stanza stanza(String xml) throws XmlException, StanzaFormatException {
    return Stanza.of(XmlParser.frame(xml, Namespaces.CLIENT));
  }

  private static @Nullable Presence presence(String xml)
      throws XmlException, StanzaFormatException {
    return stanza(xml) instanceof Presence presence ? presence : null;
  }

  private static String text(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MAX_STANZA) {
      throw new IOException("an impossible length");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("the file ends too early");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
