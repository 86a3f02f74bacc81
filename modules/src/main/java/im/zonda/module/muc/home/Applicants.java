package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The users who have asked to become members of a room and have had no answer yet (XEP-0045,
/// section 7.10). It keeps the admins from being asked twice about the same user.
///
/// Bounded: when there are too many, the one who has waited longest is forgotten. Nobody is refused
/// because others wait: the admins have that user's form and may still approve it, and the user may
/// ask again.
public final class Applicants {
  private static final int MOST = 256;
  private @Nullable Set<Jid> users;

  /// Adds a user; false if that user waits already.
  public boolean add(Jid user) {
    Set<Jid> all = users;
    if (all == null) {
      all = new LinkedHashSet<>();
      users = all;
    }
    boolean added = all.add(user);
    if (all.size() > MOST) {
      all.remove(all.iterator().next());
    }
    return added;
  }

  /// Someone has been answered.
  public void remove(Jid user) {
    if (users != null) {
      users.remove(user);
    }
  }
}
