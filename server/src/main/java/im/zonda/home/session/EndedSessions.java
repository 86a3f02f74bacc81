package im.zonda.home.session;

import im.zonda.jid.Jid;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What was handled in sessions that have ended, so that a client that comes too late to resume one
/// still learns which of its stanzas it need not send again (XEP-0198, section 5).
///
/// Bounded in accounts, and for each account, so that one whose sessions end all the time does not
/// displace what is remembered of others.
public final class EndedSessions {
  /// The most sessions of one account.
  static final int EACH = 4;

  private final Map<Jid, Map<String, HandledCount>> accounts;

  /// @param most the most accounts
  public EndedSessions(int most) {
    this.accounts = new Bounded<>(most);
  }

  /// Remembers a session of `account`.
  ///
  /// @param id by what it could be resumed, as it is kept ([Resumption])
  public synchronized void add(Jid account, String id, HandledCount handled) {
    Map<String, HandledCount> own = accounts.remove(account);
    if (own == null) {
      own = new Bounded<>(EACH);
    }
    own.put(id, handled);
    accounts.put(account, own);
  }

  /// How many stanzas have been handled of such a session; null if that is not known.
  public synchronized @Nullable Long handled(Jid account, String id) {
    Map<String, HandledCount> own = accounts.get(account);
    HandledCount handled = own == null ? null : own.get(id);
    return handled == null ? null : handled.handled();
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
