package im.zonda.host;

import im.zonda.home.session.MovingSession;
import im.zonda.home.session.SavedSession;
import im.zonda.home.session.SentEntries;
import im.zonda.home.session.SessionReplicaCodec;
import im.zonda.jid.JidFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Form of sessions between nodes: those that move, and copies. A node of another version does not
/// take them over.
final class BinarySessionReplicaCodec implements SessionReplicaCodec {
  private static final int WHOLE = 2;
  private static final int ATTACHED = 3;

  /// In place of a number that is not there.
  private static final long ABSENT = -1;

  private final SessionCodec form = new SessionCodec();

  BinarySessionReplicaCodec() {}

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

  @Override
  public byte[] whole(MovingSession moving) {
    return bytes(
        512,
        out -> {
          out.writeInt(form.version() + WHOLE);
          out.writeLong(moving.received());
          out.writeInt(moving.pending().size());
          for (long number : moving.pending()) {
            out.writeLong(number);
          }
          out.writeLong(moving.replicatedUpTo().orElse(ABSENT));
          out.writeLong(moving.possiblyHandledSince().orElse(ABSENT));
          form.write(moving.session(), out);
        });
  }

  @Override
  public byte[] attached(SavedSession session) {
    return bytes(
        512,
        out -> {
          out.writeInt(form.version() + ATTACHED);
          form.write(withoutSent(session), out);
        });
  }

  @Override
  public byte[] queue(SavedSession session, long replicatedUpTo, Map<String, String> values) {
    return bytes(
        64,
        out -> {
          out.writeLong(replicatedUpTo);
          out.writeLong(session.acknowledged());
          SessionCodec.writeEntries(session.sent(), out);
          form.writeSent(session.unacknowledged(), out);
          SessionCodec.writeValues(values, out);
        });
  }

  @Override
  public byte[] handled(long handled) {
    return bytes(Long.BYTES, out -> out.writeLong(handled));
  }

  private static DataInputStream in(byte[] part) {
    return new DataInputStream(new ByteArrayInputStream(part));
  }

  /// Reads a session.
  ///
  /// @param queue null if there is no such part
  /// @param handled the same
  /// @throws IOException if a part is missing or cannot be read, or is of another version
  MovingSession read(byte[] state, byte @Nullable [] queue, byte @Nullable [] handled)
      throws IOException {
    try (DataInputStream in = in(state)) {
      int version = in.readInt();
      if (version == form.version() + WHOLE) {
        return readWhole(in);
      }
      if (version != form.version() + ATTACHED || queue == null || handled == null) {
        throw new IOException("a session of another version, or a part of one");
      }
      return readAttached(form.read(in), queue, handled);
    } catch (JidFormatException e) {
      throw new IOException("a session without a valid address", e);
    }
  }

  private MovingSession readWhole(DataInputStream in) throws IOException {
    long received = in.readLong();
    SortedSet<Long> pending = new TreeSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      pending.add(in.readLong());
    }
    OptionalLong replicatedUpTo = optional(in.readLong());
    OptionalLong possiblyHandledSince = optional(in.readLong());
    return new MovingSession(
        form.read(in), received, pending, replicatedUpTo, possiblyHandledSince);
  }

  private static OptionalLong optional(long number) {
    return number == ABSENT ? OptionalLong.empty() : OptionalLong.of(number);
  }

  private MovingSession readAttached(SavedSession state, byte[] queue, byte[] handled)
      throws IOException {
    try (DataInputStream sent = in(queue);
        DataInputStream counted = in(handled)) {
      long replicatedUpTo = sent.readLong();
      long acknowledged = sent.readLong();
      SentEntries entries = SessionCodec.readEntries(sent);
      List<SavedSession.Sent> unacknowledged = form.readSent(sent);
      Map<String, String> values = new HashMap<>(state.values());
      values.putAll(SessionCodec.readValues(sent));
      SavedSession session =
          new SavedSession(
              state.jid(),
              state.id(),
              state.until(),
              counted.readLong(),
              acknowledged,
              unacknowledged,
              state.presence(),
              state.catchingUp(),
              entries,
              state.resumptions(),
              values);
      return MovingSession.copy(session, OptionalLong.of(replicatedUpTo), OptionalLong.empty());
    }
  }

  private static SavedSession withoutSent(SavedSession session) {
    return new SavedSession(
        session.jid(),
        session.id(),
        session.until(),
        0,
        0,
        List.of(),
        session.presence(),
        session.catchingUp(),
        SentEntries.NONE,
        session.resumptions(),
        session.values());
  }
}
