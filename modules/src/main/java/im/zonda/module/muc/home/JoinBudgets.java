package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.RateLimit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How often each user has recently entered a room. A seat cannot count this, as it ends when its
/// session leaves.
public final class JoinBudgets {
  private static final int MOST = 256;
  private @Nullable Map<Jid, RateLimit> budgets;

  /// Counts an entry ([RateLimit#delay]).
  ///
  /// @param most entries in ten seconds; 0 is no limit
  /// @return milliseconds by which the user is to be delayed, or [RateLimit#EXCEEDED]
  public long pace(Jid user, long nowMillis, int most) {
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
    if (all.size() > MOST) {
      all.remove(all.keySet().iterator().next());
    }
    return budget.delay(nowMillis, most);
  }

  /// Forgets what does not count any more.
  public void forgetOld(long nowMillis) {
    if (budgets != null) {
      budgets.values().removeIf(budget -> budget.isIdle(nowMillis));
      if (budgets.isEmpty()) {
        budgets = null;
      }
    }
  }
}
