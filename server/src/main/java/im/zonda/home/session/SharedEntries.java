package im.zonda.home.session;

import im.zonda.session.Session;
import im.zonda.store.MessageLog.Receipt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Entries of one account's log that sessions were sent as they arrived, while another session of
/// the account reads the log ([LocalSession#readsLog]) and finds them there.
///
/// Such an entry waits in the log until the session that reads has it. If that session ends, or has
/// read everything, the entry waits until any client has acknowledged it, which one may have done
/// before. Until then it is known here to whom it was sent: a session is sent an entry once.
///
/// Bounded, because each is counted by [WaitingMessages]. Confined to the home's mailbox.
public final class SharedEntries {
  private Map<Long, Shared> entries = Map.of();

  /// A message that is delivered as it arrives, and that another session reads in the log.
  static final class Shared implements LogAction {
    private final long id;
    private final Receipt receipt;
    private final WaitingMessages waiting;
    private final List<? extends Session> sentTo;
    private boolean acknowledged;

    /// Whether a session that reads the log still has to get it there.
    private boolean awaitsReader = true;

    private Shared(
        long id, Receipt receipt, WaitingMessages waiting, List<? extends Session> sentTo) {
      this.id = id;
      this.receipt = receipt;
      this.waiting = waiting;
      this.sentTo = sentTo;
    }

    @Override
    public long id() {
      return id;
    }

    @Override
    public boolean settles() {
      return !awaitsReader;
    }

    @Override
    public void run() {
      acknowledged = true;
      if (!awaitsReader) {
        settle();
      }
    }

    private void settle() {
      receipt.delivered();
      waiting.delivered();
    }
  }

  /// Adds an entry that these sessions are sent now. The result runs when a client has received the
  /// entry.
  public LogAction add(
      long id, Receipt receipt, WaitingMessages waiting, List<? extends Session> sentTo) {
    if (entries.isEmpty()) {
      entries = new HashMap<>();
    }
    Shared entry = new Shared(id, receipt, waiting, sentTo);
    entries.put(id, entry);
    return entry;
  }

  /// Adds the entries that the session must not be sent: it was sent them already, or it became
  /// available after them and a client has acknowledged them.
  ///
  /// @param since the newest entry when the session became available
  public void addKnown(Session session, long since, Set<Long> ids) {
    for (Shared entry : entries.values()) {
      if (entry.sentTo.contains(session) || (entry.acknowledged && entry.id < since)) {
        ids.add(entry.id);
      }
    }
  }

  /// The entry no longer waits in the log.
  public void remove(long id) {
    if (!entries.isEmpty()) {
      entries.remove(id);
    }
  }

  /// No session reads the log now: entries that a client has acknowledged no longer wait there, and
  /// the others wait until a client acknowledges them.
  public void release() {
    Map<Long, Shared> all = entries;
    entries = Map.of();
    all.values().forEach(entry -> entry.awaitsReader = false);
    LogAction.runAll(
        all.values().stream()
            .filter(entry -> entry.acknowledged)
            .<Runnable>map(entry -> entry::settle)
            .toList());
  }
}
