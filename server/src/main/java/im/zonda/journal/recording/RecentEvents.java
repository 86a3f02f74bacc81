package im.zonda.journal.recording;

import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore.Event;
import im.zonda.journal.JournalStore.Query;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The latest events of some senders, as bytes; the oldest make room for new ones. Safe for use by
/// several threads.
final class RecentEvents {
  /// What an event costs besides its bytes.
  private static final int OVERHEAD = 24;

  private final int most;
  private final int mostBytes;

  // Guarded by this object's monitor. In the order in which they came.
  private final ArrayDeque<byte[]> events = new ArrayDeque<>();
  private int bytes;

  /// @param most how many there may be
  /// @param mostBytes how many bytes they may have
  RecentEvents(int most, int mostBytes) {
    this.most = most;
    this.mostBytes = mostBytes;
  }

  void add(Event event) {
    byte[] written = write(event);
    synchronized (this) {
      events.addLast(written);
      bytes += written.length + OVERHEAD;
      while (events.size() > most || bytes > mostBytes) {
        bytes -= events.removeFirst().length + OVERHEAD;
      }
    }
  }

  /// Those that a search finds, the newest first.
  List<Event> find(Query query) {
    List<byte[]> all = new ArrayList<>();
    synchronized (this) {
      for (Iterator<byte[]> each = events.descendingIterator(); each.hasNext(); ) {
        all.add(each.next());
      }
    }
    List<Event> found = new ArrayList<>();
    for (byte[] each : all) {
      Event event = read(each);
      if (query.finds(event)) {
        found.add(event);
      }
      if (found.size() == query.limit()) {
        break;
      }
    }
    return found;
  }

  /// Forgets the events of an address.
  synchronized void forget(Jid address) {
    Query of = new Query(address, null, null, Long.MIN_VALUE, Long.MAX_VALUE, 1);
    for (Iterator<byte[]> each = events.iterator(); each.hasNext(); ) {
      byte[] written = each.next();
      if (of.finds(read(written))) {
        each.remove();
        bytes -= written.length + OVERHEAD;
      }
    }
  }

  /// How many there are.
  synchronized int size() {
    return events.size();
  }

  /// How many bytes they have.
  synchronized int bytes() {
    return bytes;
  }

  private static byte[] write(Event event) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeLong(event.id());
      out.writeLong(event.identity());
      out.writeUTF(event.node());
      out.writeUTF(event.place());
      out.writeUTF(event.reason());
      out.writeUTF(event.kind());
      write(out, event.sender());
      write(out, event.receiver());
      write(out, event.stanza());
      write(out, event.detail());
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, @Nullable Object value) throws IOException {
    out.writeBoolean(value != null);
    if (value != null) {
      out.writeUTF(value.toString());
    }
  }

  private static Event read(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      long id = in.readLong();
      long identity = in.readLong();
      String node = in.readUTF();
      String place = in.readUTF();
      String reason = in.readUTF();
      String kind = in.readUTF();
      Jid sender = address(text(in));
      Jid receiver = address(text(in));
      return new Event(
          id, node, place, reason, sender, receiver, kind, text(in), identity, text(in));
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
  }

  private static @Nullable String text(DataInputStream in) throws IOException {
    return in.readBoolean() ? in.readUTF() : null;
  }

  private static @Nullable Jid address(@Nullable String text) {
    return text == null ? null : Jid.stored(text);
  }
}
