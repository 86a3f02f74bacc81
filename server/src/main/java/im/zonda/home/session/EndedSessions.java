package im.zonda.home.session;

import im.zonda.jid.Jid;
import im.zonda.link.ack.HandledCount;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The counts of handled stanzas of sessions that have ended, so that a client that is too late to
/// resume one still gets the count and need not send those stanzas again (XEP-0198, section 5).
///
/// Bounded in accounts, and for each account, so that one whose sessions end all the time does not
/// displace what is remembered of others. Any thread may call: accounts are spread over shards by
/// their hash, and a call locks one shard. The oldest account of a full shard is forgotten.
public final class EndedSessions {
  /// The most sessions of one account.
  static final int EACH = 4;

  /// The least accounts of a shard, so that no shard is full long before other shards.
  static final int SHARD = 64;

  private static final int MOST_SHARDS = 64;

  private final Shard[] shards;

  /// @param most the most accounts
  public EndedSessions(int most) {
    int count = Integer.highestOneBit(Math.clamp(most / SHARD, 1, MOST_SHARDS));
    shards = Stream.generate(() -> new Shard(most / count)).limit(count).toArray(Shard[]::new);
  }

  /// Remembers a session of `account`.
  ///
  /// @param id the id by which it could be resumed, hashed ([StreamManagementState#hash])
  public void add(Jid account, String id, HandledCount handled) {
    shard(account).add(account, id, handled);
  }

  /// How many stanzas have been handled of such a session; null if that is not known.
  public @Nullable Long handled(Jid account, String id) {
    HandledCount handled = shard(account).find(account, id);
    return handled == null ? null : handled.handled();
  }

  private Shard shard(Jid account) {
    int hash = account.hashCode() * 0x9E3779B9;
    return shards[(hash >>> 16) & (shards.length - 1)];
  }

  private static final class Shard {
    private final Map<Jid, Map<String, HandledCount>> accounts;

    private Shard(int most) {
      this.accounts = new Bounded<>(most);
    }

    private synchronized void add(Jid account, String id, HandledCount handled) {
      Map<String, HandledCount> own = accounts.remove(account);
      if (own == null) {
        own = new Bounded<>(EACH);
      }
      own.put(id, handled);
      accounts.put(account, own);
    }

    private synchronized @Nullable HandledCount find(Jid account, String id) {
      Map<String, HandledCount> own = accounts.get(account);
      return own == null ? null : own.get(id);
    }
  }

  private static final class Bounded<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;
    private final int most;

    private Bounded(int most) {
      super(4);
      this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > most;
    }
  }
}
