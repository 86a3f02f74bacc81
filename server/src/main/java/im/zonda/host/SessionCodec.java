package im.zonda.host;

import im.zonda.home.session.SavedSession;
import im.zonda.home.session.SentEntries;
import im.zonda.home.session.SessionState;
import im.zonda.jid.Jid;
import im.zonda.module.SavedState;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.ReplacementStanza;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Form of the sessions in the file `sessions` in the data folder, from a clean stop of the server
/// to its next start.
///
/// Without the file nothing is lost: clients log in again, and messages that they have not
/// acknowledged wait in the log.
final class SessionCodec implements SavedState.Codec<SavedSession> {
  private static final Logger LOG = LoggerFactory.getLogger(SessionCodec.class);
  private static final int FORMAT = 0x5a53_0006;

  SessionCodec() {}

  /// The file in that data folder.
  static RestartFile<SavedSession> in(Path data) {
    return new RestartFile<>(data.resolve("sessions"), new SessionCodec());
  }

  @Override
  public String name() {
    return "sessions";
  }

  @Override
  public int version() {
    return FORMAT;
  }

  @Override
  public void write(SavedSession session, DataOutput out) throws IOException {
    RestartFile.writeText(session.jid().toString().getBytes(StandardCharsets.UTF_8), out);
    out.writeUTF(session.id());
    out.writeLong(session.until().toEpochMilli());
    out.writeLong(session.handled());
    out.writeLong(session.acknowledged());
    writeSent(session.unacknowledged(), out);
    Presence presence = session.presence();
    RestartFile.writeText(presence == null ? new byte[0] : bytes(presence), out);
    out.writeBoolean(session.catchingUp());
    writeEntries(session.sent(), out);
    writeValues(SessionState.withResumptions(session.values(), session.resumptions()), out);
  }

  static void writeValues(Map<String, String> values, DataOutput out) throws IOException {
    out.writeInt(values.size());
    for (Map.Entry<String, String> value : values.entrySet()) {
      out.writeUTF(value.getKey());
      RestartFile.writeText(value.getValue().getBytes(StandardCharsets.UTF_8), out);
    }
  }

  static Map<String, String> readValues(DataInput in) throws IOException {
    Map<String, String> values = new HashMap<>();
    for (int i = in.readInt(); i > 0; i--) {
      values.put(in.readUTF(), RestartFile.readText(in));
    }
    return values;
  }

  static void writeEntries(SentEntries sent, DataOutput out) throws IOException {
    out.writeLong(sent.upTo());
    out.writeInt(sent.others().size());
    for (long other : sent.others()) {
      out.writeLong(other);
    }
  }

  static SentEntries readEntries(DataInput in) throws IOException {
    long upTo = in.readLong();
    Set<Long> others = new HashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      others.add(in.readLong());
    }
    return new SentEntries(upTo, others);
  }

  void writeSent(List<SavedSession.Sent> all, DataOutput out) throws IOException {
    out.writeInt(all.size());
    for (SavedSession.Sent sent : all) {
      out.writeLong(sent.time().toEpochMilli());
      RestartFile.writeText(bytes(sent.stanza()), out);
    }
  }

  /// Reads what [#writeSent] has written. A stanza that cannot be read is replaced: those behind it
  /// keep their numbers.
  List<SavedSession.Sent> readSent(DataInput in) throws IOException {
    List<SavedSession.Sent> all = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      Instant time = Instant.ofEpochMilli(in.readLong());
      all.add(new SavedSession.Sent(stanza(RestartFile.readBytes(in)), time));
    }
    return all;
  }

  private static byte[] bytes(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(stanza.writtenSize() + 16);
    stanza.writeTo(sink);
    return sink.toByteArray();
  }

  @Override
  public SavedSession read(DataInput in) throws IOException {
    Jid jid = Jid.stored(RestartFile.readText(in));
    String id = in.readUTF();
    Instant until = Instant.ofEpochMilli(in.readLong());
    long handled = in.readLong();
    long acknowledged = in.readLong();
    List<SavedSession.Sent> unacknowledged = readSent(in);
    byte[] presence = RestartFile.readBytes(in);
    boolean catchingUp = in.readBoolean();
    SentEntries sent = readEntries(in);
    Map<String, String> values = readValues(in);
    long resumptions;
    try {
      resumptions = SessionState.takeResumptions(values);
    } catch (NumberFormatException e) {
      throw new IOException("a session of an unknown version", e);
    }
    return new SavedSession(
        jid,
        id,
        until,
        handled,
        acknowledged,
        unacknowledged,
        presence.length == 0 ? null : presence(jid, presence),
        catchingUp,
        sent,
        resumptions,
        values);
  }

  private static Stanza stanza(byte[] xml) {
    try {
      return Stanza.reread(XmlParser.frame(xml, 0, Namespaces.CLIENT));
    } catch (XmlException | StanzaFormatException | RuntimeException e) {
      Stanza replacement = ReplacementStanza.of(xml);
      LOG.atError()
          .addKeyValue("from", replacement.from())
          .addKeyValue("to", replacement.to())
          .setCause(e)
          .log("saved_stanza_not_read");
      return replacement;
    }
  }

  /// The session is available also if its presence cannot be read: its client believes so.
  private static Presence presence(Jid session, byte[] xml) {
    return stanza(xml) instanceof Presence presence
        ? presence
        : Presence.of(Presence.Type.AVAILABLE, session, null, null, List.of());
  }
}
