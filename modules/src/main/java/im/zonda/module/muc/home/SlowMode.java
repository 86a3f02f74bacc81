package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Xep;
import im.zonda.module.muc.room.RoomMemory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The accounts that have recently sent a message to a room in slow mode (XEP-0500), whether or not
/// they are still in the room. Each is charged for its entry, which is removed when it may send
/// again. Confined to the room's mailbox.
@Xep(number = 500, version = "0.1.1", title = "MUC Slow Mode")
public final class SlowMode {
  /// Memory of an account's entry, in bytes: its address, time, charge and map entry.
  private static final int COST = 512;

  private static final int FORMAT = 1;

  /// Whether an account may send a message now.
  public enum Decision {
    ALLOWED,
    TOO_SOON,

    /// The account uses all the memory that it may use in rooms.
    NO_MEMORY
  }

  private record Spoken(long atMillis, RoomMemory.Charge cost) {}

  private final RoomMemory memory;

  /// The earliest message first; null while there is none, as in most rooms.
  private @Nullable Map<Jid, Spoken> spoken;

  SlowMode(RoomMemory memory) {
    this.memory = memory;
  }

  /// Counts a message of an account, if it may send one now. A message of the future, from a clock
  /// that was ahead, does not count.
  ///
  /// @param seconds between two messages
  public Decision speak(Jid user, long nowMillis, int seconds) {
    long latest = nowMillis + seconds * 1_000L;
    removeOutside(nowMillis - seconds * 1_000L, latest);
    Spoken last = spoken == null ? null : spoken.get(user);
    if (last != null && last.atMillis() <= latest) {
      return Decision.TOO_SOON;
    }
    forget(user);
    return add(user, nowMillis) ? Decision.ALLOWED : Decision.NO_MEMORY;
  }

  /// Counts a message that was sent before the room was loaded. Must be called in the order of the
  /// messages.
  void restore(Jid user, long atMillis) {
    forget(user);
    add(user, atMillis);
  }

  private boolean add(Jid user, long atMillis) {
    RoomMemory.Charge cost = memory.charge(user);
    if (!cost.resize(COST)) {
      return false;
    }
    Map<Jid, Spoken> all = spoken;
    if (all == null) {
      all = new LinkedHashMap<>();
      spoken = all;
    }
    all.put(user, new Spoken(atMillis, cost));
    return true;
  }

  /// Removes the earliest entries, up to one of a message after `millis` and not after `latest`.
  private void removeOutside(long millis, long latest) {
    if (spoken == null) {
      return;
    }
    Iterator<Spoken> earliest = spoken.values().iterator();
    while (earliest.hasNext()) {
      Spoken one = earliest.next();
      if (one.atMillis() > millis && one.atMillis() <= latest) {
        return;
      }
      one.cost().release();
      earliest.remove();
    }
    spoken = null;
  }

  /// Removes the entry of an account, whose message was not sent after all.
  public void forget(Jid user) {
    Spoken removed = spoken == null ? null : spoken.remove(user);
    if (removed != null) {
      removed.cost().release();
    }
  }

  /// Removes all accounts.
  public void clear() {
    removeOutside(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /// Whether no account has to wait.
  public boolean isEmpty() {
    return spoken == null || spoken.isEmpty();
  }

  /// Writes the accounts for another node.
  public byte[] write() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      Map<Jid, Spoken> all = spoken == null ? Map.of() : spoken;
      out.writeInt(FORMAT);
      out.writeInt(all.size());
      for (Map.Entry<Jid, Spoken> one : all.entrySet()) {
        byte[] user = one.getKey().utf8();
        out.writeShort(user.length);
        out.write(user);
        out.writeLong(one.getValue().atMillis());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return bytes.toByteArray();
  }

  /// Reads the accounts that another node has written; none of another format.
  ///
  /// @throws IOException if the bytes are damaged
  public void read(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readInt() != FORMAT) {
        return;
      }
      for (int left = in.readInt(); left > 0; left--) {
        byte[] user = in.readNBytes(in.readUnsignedShort());
        restore(Jid.stored(new String(user, StandardCharsets.UTF_8)), in.readLong());
      }
    } catch (JidFormatException e) {
      throw new IOException("an account whose address is none", e);
    }
  }
}
