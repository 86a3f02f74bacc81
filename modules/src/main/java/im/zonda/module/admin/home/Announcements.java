package im.zonda.module.admin.home;

import im.zonda.account.AccountRegistration;
import im.zonda.account.OnlineAccounts;
import im.zonda.account.OnlineAccounts.Activity;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.operation.Call;
import im.zonda.stanza.Message;
import im.zonda.store.AccountAddresses;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Sends a message of the host to its users, a few at a time.
///
/// @param context sends the messages
public record Announcements(ModuleContext context) {
  /// The subject of the message of the day.
  public static final String MOTD_SUBJECT = "Message of the Day";

  /// The subject of an announcement.
  public static final String SUBJECT = "Announcement";

  static final String WELCOME_SUBJECT = "Welcome";

  private static final int AT_A_TIME = 200;
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /// Sends a headline to every account of the host that has a session, and does not wait until all
  /// are sent.
  ///
  /// @return how many accounts there are
  public long send(String subject, String text) throws InterruptedException {
    List<Jid> accounts = online(Integer.MAX_VALUE).accounts();
    sendFrom(0, accounts, subject, text);
    return accounts.size();
  }

  /// How many accounts of the host have a session.
  public long countOnline() throws InterruptedException {
    return online(0).count();
  }

  /// How many accounts the host has.
  public long countAll() {
    return context.port(AccountRegistration.class).count(context.domain().domain());
  }

  private OnlineAccounts.Found online(int limit) throws InterruptedException {
    BlockingQueue<OnlineAccounts.Found> answers = new ArrayBlockingQueue<>(1);
    context
        .port(OnlineAccounts.class)
        .find(context.domain().domain(), Activity.ONLINE, null, limit, answers::add);
    OnlineAccounts.Found found = answers.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    return found == null ? new OnlineAccounts.Found(0, List.of(), false) : found;
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

  /// Sends a message to every account of the host; it waits for those who are offline.
  ///
  /// @return what was done, as a sentence
  public String sendToAll(String subject, String text, Call.Progress progress)
      throws InterruptedException {
    AccountAddresses addresses = context.port(AccountAddresses.class);
    long total = countAll();
    long sent = 0;
    Jid last = null;
    while (true) {
      List<Jid> some = addresses.list(context.domain().domain(), last, AT_A_TIME);
      for (Jid account : some) {
        context.send(AccountWatch.message(context, Message.Type.NORMAL, account, subject, text));
      }
      sent += some.size();
      progress.at(sent, total, "accounts");
      if (some.size() < AT_A_TIME) {
        return "The announcement was sent to " + sent + " accounts.";
      }
      last = some.getLast();
      pause();
    }
  }

  private void pause() throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    context.scheduler().schedule(PAUSE, over::countDown);
    over.await();
  }
}
