package im.zonda.module.muc.room;

import im.zonda.config.HeapShare;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import java.util.HashMap;
import java.util.Map;

/// The memory that all rooms share for what they must keep: configurations, subjects, affiliations,
/// hats, presences, requests that wait for an answer. Counted by the account that is charged for
/// it: a room's own state is charged to its creator, an occupant's to the occupant.
///
/// Accounts that use little get it while there is any. What accounts use beyond that may fill half
/// of the memory only, and each may use at most half of what would then be free of this half: one
/// alone gets a third of it, several get less each. So accounts that use much cannot refuse the
/// others.
///
/// Thread-safe.
public final class RoomMemory {
  /// What an account in some twenty rooms uses, a few of them its own.
  private static final long LITTLE = 65_536;

  private final long most;
  private final long little;

  // Guarded by this object's monitor.
  private final Map<Jid, Long> users = new HashMap<>();
  private long used;

  // The bytes of all accounts beyond what is little for each.
  private long beyond;

  /// @param most bytes of all together
  public RoomMemory(long most) {
    this.most = most;
    this.little = Math.max(LITTLE, most / 1_024);
  }

  /// The memory that one host's rooms have.
  ///
  /// @param heap the most bytes of the heap
  public static RoomMemory of(ServerConfig config, long heap) {
    long most = HeapShare.ROOM_STATE.bound(config.limits().allRoomStateBytes(), heap);
    return new RoomMemory(most / config.hosts().size());
  }

  /// A charge of no bytes yet.
  ///
  /// @param user the bare address of who is charged
  public Charge charge(Jid user) {
    return new Charge(user);
  }

  /// The bytes that are used.
  synchronized long used() {
    return used;
  }

  /// The bytes that are charged to a user.
  synchronized long usedBy(Jid user) {
    return users.getOrDefault(user, 0L);
  }

  /// Whether more than half of it is used: what can be done without should go.
  public boolean isScarce() {
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

  /// What one thing in memory costs. Changed by one thread at a time.
  public final class Charge {
    private final Jid user;
    private long bytes;

    private Charge(Jid user) {
      this.user = user;
    }

    /// The bare address of who is charged.
    public Jid user() {
      return user;
    }

    /// Sets the bytes; false, and nothing has changed, if they are more than before and more than
    /// the user may have.
    public boolean resize(long newBytes) {
      synchronized (RoomMemory.this) {
        if (!allows(user, newBytes - bytes)) {
          return false;
        }
        force(newBytes);
        return true;
      }
    }

    /// Sets the bytes of what is in memory already.
    void force(long newBytes) {
      long more = newBytes - bytes;
      bytes = newBytes;
      if (more != 0) {
        add(user, more);
      }
    }

    /// It is no longer in memory.
    public void end() {
      force(0);
    }
  }
}
