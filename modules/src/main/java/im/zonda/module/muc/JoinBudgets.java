package im.zonda.module.muc;

import im.zonda.jid.Jid;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How often the users of late have entered a room: a seat that is left takes its own count along.
final class JoinBudgets {
  private static final int MOST = 256;
  private @Nullable Map<Jid, Seat.Budget> budgets;

  /// Counts an entry; false if the user has entered too often.
  ///
  /// @param most entries in ten seconds; 0 is no limit
  boolean spend(Jid user, long nowMillis, int most) {
    if (most == 0) {
      return true;
    }
    Map<Jid, Seat.Budget> all = budgets;
    if (all == null) {
      all = new LinkedHashMap<>();
      budgets = all;
    }
    Seat.Budget budget = all.remove(user);
    if (budget == null) {
      budget = new Seat.Budget();
    }
    all.put(user, budget);
    if (all.size() > MOST) {
      all.remove(all.keySet().iterator().next());
    }
    return budget.spend(nowMillis, most);
  }

  /// Forgets what does not count any more.
  void forgetOld(long nowMillis) {
    if (budgets != null) {
      budgets.values().removeIf(budget -> budget.isOver(nowMillis));
      if (budgets.isEmpty()) {
        budgets = null;
      }
    }
  }
}
