package im.zonda.module.testing;

import im.zonda.account.DisabledAccounts;
import im.zonda.account.OnlineAccounts;
import im.zonda.jid.Jid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What administrators learn of a test's host and do with it.
public final class TestAdministration implements DisabledAccounts, OnlineAccounts {
  /// The accounts that are online.
  public final TreeSet<Jid> online = new TreeSet<>();

  /// The accounts that are disabled.
  public final TreeSet<Jid> disabled = new TreeSet<>();

  /// Why they are.
  public final Map<Jid, Disabling> reasons = new HashMap<>();

  TestAdministration() {}

  @Override
  public @Nullable Disabling find(Jid account) {
    return disabled.contains(account)
        ? reasons.getOrDefault(account, new Disabling(null, null, null))
        : null;
  }

  @Override
  public void disable(Jid account, Disabling disabling) {
    disabled.add(account);
    reasons.put(account, disabling);
  }

  @Override
  public void enable(Jid account) {
    disabled.remove(account);
    reasons.remove(account);
  }

  @Override
  public List<Jid> list(String domain, @Nullable Jid after, int limit) {
    return disabled.stream()
        .filter(each -> after == null || each.compareTo(after) > 0)
        .limit(limit)
        .toList();
  }

  @Override
  public void find(
      String domain, Activity activity, @Nullable Jid after, int limit, Consumer<Found> answer) {
    List<Jid> found =
        online.stream()
            .filter(each -> after == null || each.compareTo(after) > 0)
            .limit(limit)
            .toList();
    answer.accept(new Found(online.size(), found, true));
  }
}
