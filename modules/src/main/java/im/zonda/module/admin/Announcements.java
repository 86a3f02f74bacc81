package im.zonda.module.admin;

import im.zonda.account.OnlineAccounts;
import im.zonda.account.OnlineAccounts.Activity;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import java.time.Duration;
import java.util.List;

/// Sends a message of the host to all users who are online, a few at a time.
///
/// @param context sends the messages
record Announcements(ModuleContext context) {
  private static final int AT_A_TIME = 200;
  private static final Duration PAUSE = Duration.ofMillis(20);

  /// Sends a headline to every account of the host that has a session. Returns at once.
  void send(String subject, String text) {
    context
        .port(OnlineAccounts.class)
        .find(
            context.domain().domain(),
            Activity.ONLINE,
            Integer.MAX_VALUE,
            found -> sendFrom(0, found.accounts(), subject, text));
  }

  private void sendFrom(int start, List<Jid> accounts, String subject, String text) {
    int end = Math.min(accounts.size(), start + AT_A_TIME);
    for (Jid account : accounts.subList(start, end)) {
      context.send(AccountWatch.headline(context, account, subject, text));
    }
    if (end < accounts.size()) {
      context.scheduler().schedule(PAUSE, () -> sendFrom(end, accounts, subject, text));
    }
  }
}
