package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The rates of users whose sessions have left a room. Sessions of these users that enter again
/// share them: otherwise a user could exceed the limit by leaving and entering again.
final class DepartedRates {
  static final int MAX = 256;

  private @Nullable Map<Jid, OccupantRates> byUser;

  /// Keeps the rates of a session that leaves. Above the limit, the user who left first is
  /// forgotten.
  void keep(Jid user, OccupantRates rates) {
    Map<Jid, OccupantRates> all = byUser;
    if (all == null) {
      all = new LinkedHashMap<>();
      byUser = all;
    }
    OccupantRates before = all.remove(user);
    if (before != null && !before.equals(rates)) {
      rates.add(before);
    }
    all.put(user, rates);
    if (all.size() > MAX) {
      all.remove(all.keySet().iterator().next());
    }
  }

  @Nullable OccupantRates find(Jid user) {
    return byUser == null ? null : byUser.get(user);
  }

  /// Removes rates that no longer have an effect.
  void forgetOld(long nowMillis) {
    if (byUser != null) {
      byUser.values().removeIf(rates -> rates.isIdle(nowMillis));
      if (byUser.isEmpty()) {
        byUser = null;
      }
    }
  }
}
