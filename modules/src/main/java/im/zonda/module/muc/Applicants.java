package im.zonda.module.muc;

import im.zonda.jid.Jid;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Those who have asked to become members of a room and have had no answer yet: nobody asks twice,
/// and there are not too many of them.
final class Applicants {
  private static final int MOST = 256;
  private @Nullable Set<Jid> users;

  /// What becomes of a request.
  enum Outcome {
    NEW,
    KNOWN,
    TOO_MANY
  }

  /// Someone asks.
  Outcome add(Jid user) {
    Set<Jid> all = users;
    if (all == null) {
      all = new LinkedHashSet<>();
      users = all;
    }
    if (all.contains(user)) {
      return Outcome.KNOWN;
    }
    if (all.size() >= MOST) {
      return Outcome.TOO_MANY;
    }
    all.add(user);
    return Outcome.NEW;
  }

  /// Someone has been answered.
  void remove(Jid user) {
    if (users != null) {
      users.remove(user);
    }
  }
}
