package im.zonda.module.muc.room;

import im.zonda.config.ServerConfig;
import im.zonda.config.limits.HeapShare;
import im.zonda.jid.Jid;
import java.util.HashMap;
import java.util.Map;

/// Memory of the state of all rooms: configurations, subjects, affiliations, hats, presences,
/// forwarded requests. Accounted per account: a room's own state is charged to its creator, an
/// occupant's to the occupant.
///
/// Accounts that use little get memory while there is any. What accounts use beyond that may fill
/// half of the memory, and each may use at most half of what would then remain free of this half:
/// one alone gets a third of it, several get less each. So accounts that use much cannot deny
/// memory to the others.
///
/// Thread-safe.
public final class RoomMemory {
  /// The use of an account in some twenty rooms, a few of which it has created, in bytes.
  private static final long LITTLE = 65_536;

  // Guarded by this object's monitor.
  private final Map<Jid, Long> users = new HashMap<>();
  private long used;
  private long most;
  private long little;

  // The bytes of all accounts beyond `little` for each.
  private long beyond;

  /// @param most the limit of all accounts together, in bytes
  public RoomMemory(long most) {
    resize(most);
  }

  /// Creates the memory of one host's rooms.
  ///
  /// @param heap the maximum heap size in bytes
  public static RoomMemory of(ServerConfig config, long heap) {
    return new RoomMemory(most(config, heap));
  }

  /// The limit of all accounts together.
  public static long most(ServerConfig config, long heap) {
    long all = HeapShare.ROOM_STATE.bound(config.limits().allRoomStateBytes(), heap);
    return all / config.hosts().size();
  }

  /// Changes the limit of all accounts together.
  public final synchronized void resize(long newMost) {
    most = newMost;
    little = Math.max(LITTLE, newMost / 1_024);
    beyond = 0;
    for (long bytes : users.values()) {
      beyond += beyond(bytes);
    }
  }

  /// Creates an empty charge.
  ///
  /// @param user the bare address that is charged
  public Charge charge(Jid user) {
    return new Charge(user);
  }

  /// The bytes in use.
  synchronized long used() {
    return used;
  }

  /// The bytes charged to a user.
  public synchronized long usedBy(Jid user) {
    return users.getOrDefault(user, 0L);
  }

  /// Whether more than half is in use, so that idle rooms should be unloaded.
  public synchronized boolean isScarce() {
    return used() > most / 2;
  }

  private synchronized boolean allows(Jid user, long more) {
    if (more <= 0) {
      return true;
    }
    long before = usedBy(user);
    if (used + more > most) {
      return false;
    }
    long own = beyond(before + more);
    return own == 0 || own <= (most / 2 - (beyond - beyond(before) + own)) / 2;
  }

  private long beyond(long bytes) {
    return Math.max(0, bytes - little);
  }

  private synchronized void add(Jid user, long more) {
    long before = usedBy(user);
    used += more;
    beyond += beyond(before + more) - beyond(before);
    users.merge(user, more, (own, added) -> own + added == 0 ? null : own + added);
  }

  /// The charge for one object in memory. Not thread-safe.
  public final class Charge {
    private final Jid user;
    private long bytes;

    private Charge(Jid user) {
      this.user = user;
    }

    /// The bare address that is charged.
    public Jid user() {
      return user;
    }

    /// Sets the bytes; returns false, and changes nothing, if they grow and the user may not use
    /// more.
    public boolean resize(long newBytes) {
      synchronized (RoomMemory.this) {
        if (!allows(user, newBytes - bytes)) {
          return false;
        }
        set(newBytes);
        return true;
      }
    }

    /// Sets the bytes of what is in memory already, without a limit.
    void set(long newBytes) {
      long more = newBytes - bytes;
      bytes = newBytes;
      if (more != 0) {
        add(user, more);
      }
    }

    /// Ends the charge.
    public void release() {
      set(0);
    }
  }
}
