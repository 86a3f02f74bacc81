package im.zonda.home.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.home.session.SessionSnapshot.Certainty;
import im.zonda.home.session.SessionSnapshot.LogPosition;
import im.zonda.home.session.SessionSnapshot.Received;
import im.zonda.home.session.SessionSnapshot.Sent;
import im.zonda.home.session.SessionSnapshot.SentStanza;
import im.zonda.home.session.SessionSnapshot.State;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.SavedState;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.ReplacementStanza;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The binary form of snapshots: entries of the restart file, sessions that move to another node,
/// and replicas. A node of another version does not restore them.
///
/// Without the restart file nothing is lost: clients log in again, and messages that they have not
/// acknowledged wait in the log.
///
/// A session that moves, or the replica of one without a stream, is one part. The replica of a
/// session with a stream at its home's node has three parts; of one whose stream is elsewhere only
/// [Section#RESUMED] is replicated.
public final class SessionSnapshotCodec implements SavedState.Codec<SessionSnapshot> {
  /// A section of a replica. The queue and the count change all the time.
  public enum Section {
    /// What changes seldom, or all of a session without a stream.
    STATE(""),
    /// The stanzas that the client was sent, and the place in the log.
    QUEUE("#queue"),
    /// The count of the client's stanzas.
    HANDLED("#handled"),
    /// The number of the client's last resumption, in place of the other sections: the keeper of
    /// its stream has the session.
    RESUMED("#resumed");

    private final String suffix;

    Section(String suffix) {
      this.suffix = suffix;
    }

    /// The sections of a session with a stream at the node of its home.
    static final Set<Section> OF_ATTACHED = Set.of(STATE, QUEUE, HANDLED);

    /// The key of the part that has this section.
    ///
    /// @param id the id of the session ([SessionSnapshot.State#id])
    public String key(String id) {
      return id + suffix;
    }

    /// Whether a key is that of a state.
    public static boolean isState(String key) {
      return key.indexOf('#') < 0;
    }

    /// Whether the part with a key has a meaning without a state.
    public static boolean isAlone(String key) {
      return key.endsWith(RESUMED.suffix);
    }

    /// The id of the session that a part belongs to.
    public static String idOf(String key) {
      return isState(key) ? key : key.substring(0, key.indexOf('#'));
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(SessionSnapshotCodec.class);
  private static final int FORMAT = 0x5a53_0006;
  private static final int WHOLE = FORMAT + 2;
  private static final int ATTACHED = FORMAT + 3;

  /// In place of a number that is not there.
  private static final long ABSENT = -1;

  private static final int MAX_BYTES = 1 << 26;

  /// The bytes that are read at first of a text, however long it claims to be.
  private static final int STEP = 8_192;

  // ---- parts

  private interface Content {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(int size, Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(size);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      content.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return bytes.toByteArray();
  }

  /// A session that moves, or the replica of one without a stream.
  public byte[] whole(SessionSnapshot snapshot) {
    return bytes(
        512,
        out -> {
          out.writeInt(WHOLE);
          out.writeLong(snapshot.received().arrived());
          writeNumbers(snapshot.received().pending(), out);
          out.writeLong(snapshot.certainty().replicatedUpTo().orElse(ABSENT));
          out.writeLong(snapshot.certainty().possiblyHandledSince().orElse(ABSENT));
          write(snapshot, out);
        });
  }

  /// A session with a stream, without its queue and its count.
  ///
  /// @param catchingUp [SessionSnapshot.LogPosition#catchingUp]
  public byte[] attached(State state, Instant until, boolean catchingUp) {
    SessionSnapshot alone =
        new SessionSnapshot(
            state,
            until,
            Sent.NONE,
            new LogPosition(catchingUp, SentEntries.NONE),
            Received.replicated(0),
            Certainty.COMPLETE);
    return bytes(
        512,
        out -> {
          out.writeInt(ATTACHED);
          write(alone, out);
        });
  }

  /// The queue of such a session.
  ///
  /// @param entries what it has been sent of the log
  /// @param replicatedUpTo the number of the last stanza that the client may have received. Stanzas
  ///   after it were held back, and have no numbers
  /// @param values what modules keep about what was sent, as text
  public byte[] queue(
      Sent sent, SentEntries entries, long replicatedUpTo, Map<String, String> values) {
    return bytes(
        64,
        out -> {
          out.writeLong(replicatedUpTo);
          out.writeLong(sent.acknowledged());
          write(entries, out);
          write(sent.unacknowledged(), out);
          write(values, out);
        });
  }

  /// How many stanzas of its client have been handled.
  public byte[] handled(long handled) {
    return bytes(Long.BYTES, out -> out.writeLong(handled));
  }

  /// The number of the client's last resumption.
  public byte[] resumed(long number) {
    return bytes(Long.BYTES, out -> out.writeLong(number));
  }

  /// Reads what [#resumed] has written.
  ///
  /// @throws IOException if it is incomplete
  public long readResumed(byte[] part) throws IOException {
    try (DataInputStream in = in(part)) {
      return in.readLong();
    }
  }

  /// Reads a session that has moved, or a replica.
  ///
  /// @param queue null if there is no such part
  /// @param handled the same
  /// @throws IOException if a part is missing or cannot be read, or is of another version
  public SessionSnapshot read(byte[] state, byte @Nullable [] queue, byte @Nullable [] handled)
      throws IOException {
    try (DataInputStream in = in(state)) {
      int version = in.readInt();
      if (version == WHOLE) {
        return readWhole(in);
      }
      if (version != ATTACHED || queue == null || handled == null) {
        throw new IOException("a session of another version, or a part of one");
      }
      return readAttached(read(in), queue, handled);
    } catch (JidFormatException e) {
      throw new IOException("a session without a valid address", e);
    }
  }

  private static DataInputStream in(byte[] part) {
    return new DataInputStream(new ByteArrayInputStream(part));
  }

  private SessionSnapshot readWhole(DataInputStream in) throws IOException {
    long arrived = in.readLong();
    SortedSet<Long> pending = new TreeSet<>(readNumbers(in));
    Certainty certainty = new Certainty(optional(in.readLong()), optional(in.readLong()));
    SessionSnapshot read = read(in);
    return new SessionSnapshot(
        read.state(),
        read.until(),
        read.sent(),
        read.log(),
        new Received(read.received().handled(), arrived, pending),
        certainty);
  }

  private static OptionalLong optional(long number) {
    return number == ABSENT ? OptionalLong.empty() : OptionalLong.of(number);
  }

  private static SessionSnapshot readAttached(SessionSnapshot read, byte[] queue, byte[] handled)
      throws IOException {
    try (DataInputStream in = in(queue);
        DataInputStream counted = in(handled)) {
      OptionalLong replicatedUpTo = OptionalLong.of(in.readLong());
      long acknowledged = in.readLong();
      SentEntries entries = readEntries(in);
      List<SentStanza> unacknowledged = readStanzas(in);
      State state = read.state();
      Map<String, String> values = new HashMap<>(state.values());
      values.putAll(readValues(in));
      return new SessionSnapshot(
          new State(state.jid(), state.id(), state.resumptions(), state.presence(), values),
          read.until(),
          new Sent(acknowledged, unacknowledged),
          new LogPosition(read.log().catchingUp(), entries),
          Received.replicated(counted.readLong()),
          new Certainty(replicatedUpTo, OptionalLong.empty()));
    }
  }

  // ---- entries of the restart file

  @Override
  public String name() {
    return "sessions";
  }

  @Override
  public int version() {
    return FORMAT;
  }

  @Override
  public void write(SessionSnapshot snapshot, DataOutput out) throws IOException {
    State state = snapshot.state();
    writeText(state.jid().toString().getBytes(UTF_8), out);
    out.writeUTF(state.id());
    out.writeLong(snapshot.until().toEpochMilli());
    out.writeLong(snapshot.received().handled());
    out.writeLong(snapshot.sent().acknowledged());
    write(snapshot.sent().unacknowledged(), out);
    Presence presence = state.presence();
    writeText(presence == null ? new byte[0] : KeptStanza.bytes(presence), out);
    out.writeBoolean(snapshot.log().catchingUp());
    write(snapshot.log().sent(), out);
    write(state.writtenValues(), out);
  }

  @Override
  public SessionSnapshot read(DataInput in) throws IOException {
    Jid jid = Jid.stored(readText(in));
    String id = in.readUTF();
    Instant until = Instant.ofEpochMilli(in.readLong());
    long handled = in.readLong();
    Sent sent = new Sent(in.readLong(), readStanzas(in));
    byte[] presence = readBytes(in);
    LogPosition log = new LogPosition(in.readBoolean(), readEntries(in));
    try {
      return new SessionSnapshot(
          State.of(jid, id, presence.length == 0 ? null : presence(jid, presence), readValues(in)),
          until,
          sent,
          log,
          Received.settled(handled),
          Certainty.COMPLETE);
    } catch (NumberFormatException e) {
      throw new IOException("a session of an unknown version", e);
    }
  }

  private static void write(List<SentStanza> all, DataOutput out) throws IOException {
    out.writeInt(all.size());
    for (SentStanza sent : all) {
      out.writeLong(sent.time().toEpochMilli());
      writeText(KeptStanza.bytes(sent.stanza()), out);
    }
  }

  /// A stanza that cannot be read is replaced: those behind it keep their numbers.
  private static List<SentStanza> readStanzas(DataInput in) throws IOException {
    List<SentStanza> all = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      Instant time = Instant.ofEpochMilli(in.readLong());
      all.add(new SentStanza(stanza(readBytes(in)), time));
    }
    return all;
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
  static Presence presence(Jid session, byte[] xml) {
    try {
      if (Stanza.reread(XmlParser.frame(xml, 0, Namespaces.CLIENT)) instanceof Presence presence) {
        return presence;
      }
    } catch (XmlException | StanzaFormatException | RuntimeException e) {
      LOG.atError().addKeyValue("jid", session).setCause(e).log("session_presence_not_read");
    }
    return Presence.of(Presence.Type.AVAILABLE, session, null, null, List.of());
  }

  private static void write(SentEntries sent, DataOutput out) throws IOException {
    out.writeLong(sent.upTo());
    writeNumbers(sent.others(), out);
  }

  private static SentEntries readEntries(DataInput in) throws IOException {
    return new SentEntries(in.readLong(), readNumbers(in));
  }

  private static void writeNumbers(Set<Long> numbers, DataOutput out) throws IOException {
    out.writeInt(numbers.size());
    for (long number : numbers) {
      out.writeLong(number);
    }
  }

  private static Set<Long> readNumbers(DataInput in) throws IOException {
    Set<Long> numbers = new HashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      numbers.add(in.readLong());
    }
    return numbers;
  }

  private static void write(Map<String, String> values, DataOutput out) throws IOException {
    out.writeInt(values.size());
    for (Map.Entry<String, String> value : values.entrySet()) {
      out.writeUTF(value.getKey());
      writeText(value.getValue().getBytes(UTF_8), out);
    }
  }

  private static Map<String, String> readValues(DataInput in) throws IOException {
    Map<String, String> values = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      values.put(in.readUTF(), readText(in));
    }
    return values;
  }

  /// Writes a text of any length, given as UTF-8.
  private static void writeText(byte[] utf8, DataOutput out) throws IOException {
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  private static String readText(DataInput in) throws IOException {
    return new String(readBytes(in), UTF_8);
  }

  private static byte[] readBytes(DataInput in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MAX_BYTES) {
      throw new IOException("a text of " + length + " bytes");
    }
    // A length that nothing follows must not reserve memory.
    byte[] bytes = new byte[Math.min(length, STEP)];
    in.readFully(bytes);
    while (bytes.length < length) {
      int before = bytes.length;
      bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * before));
      in.readFully(bytes, before, bytes.length - before);
    }
    return bytes;
  }
}
