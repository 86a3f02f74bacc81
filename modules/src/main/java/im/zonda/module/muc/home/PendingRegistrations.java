package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Users whose registration request waits for an admin (XEP-0045, section 7.10), so that admins
/// receive one request per user.
///
/// Bounded: the oldest request is forgotten when there are too many. Its user may ask again, and an
/// admin who has received the form may still approve it.
public final class PendingRegistrations {
  private static final int MAX = 256;
  private @Nullable Set<Jid> users;

  /// Adds a user; returns false if the request is pending already.
  public boolean add(Jid user) {
    Set<Jid> all = users;
    if (all == null) {
      all = new LinkedHashSet<>();
      users = all;
    }
    boolean added = all.add(user);
    if (all.size() > MAX) {
      all.remove(all.iterator().next());
    }
    return added;
  }

  /// Removes a user whose request has been decided.
  public void remove(Jid user) {
    if (users != null) {
      users.remove(user);
    }
  }
}
