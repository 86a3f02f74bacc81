package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.RateLimit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Rate limits of users who enter a room. An occupant's session cannot count this, as it ends with
/// each exit.
public final class JoinRates {
  private static final int MAX = 256;
  private @Nullable Map<Jid, RateLimit> budgets;

  /// Counts one entry ([RateLimit#delay]).
  ///
  /// @param most entries in ten seconds; 0 is no limit
  /// @return milliseconds by which to delay the user, or [RateLimit#EXCEEDED]
  public long delay(Jid user, long nowMillis, int most) {
    if (most == 0) {
      return 0;
    }
    Map<Jid, RateLimit> all = budgets;
    if (all == null) {
      all = new LinkedHashMap<>();
      budgets = all;
    }
    RateLimit budget = all.remove(user);
    if (budget == null) {
      budget = new RateLimit();
    }
    all.put(user, budget);
    if (all.size() > MAX) {
      all.remove(all.keySet().iterator().next());
    }
    return budget.delay(nowMillis, most);
  }

  /// Removes rate limits that no longer have an effect.
  public void forgetOld(long nowMillis) {
    if (budgets != null) {
      budgets.values().removeIf(budget -> budget.isIdle(nowMillis));
      if (budgets.isEmpty()) {
        budgets = null;
      }
    }
  }
}
