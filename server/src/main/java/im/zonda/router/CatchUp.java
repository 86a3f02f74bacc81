package im.zonda.router;

import im.zonda.jid.Jid;
import im.zonda.module.LateDelivery;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import java.util.List;

/// Delivers what waits in the log to a session that has become available (XEP-0160).
///
/// Page by page: the next page is read when the one before has left to the client, so a long
/// absence costs no memory. While a session catches up, new messages for it go through the log as
/// well and keep their order.
final class CatchUp {
  private static final int PAGE = 100;

  private final StanzaRouter router;
  private final MessageLog log;

  CatchUp(StanzaRouter router, MessageLog log) {
    this.router = router;
    this.log = log;
  }

  /// Begins if something may wait and the session may have it. Runs at the session's home.
  void begin(AccountHome home, LocalSession session) {
    if (home.waiting() == 0 || session.isCatchingUp() || session.priority() < 0) {
      return;
    }
    session.catchingUp(true);
    next(home.jid(), session, 0);
  }

  /// Goes on after the entry `last` with a session that was saved while it caught up.
  void continueAfter(AccountHome home, LocalSession session, long last) {
    session.catchingUp(true);
    next(home.jid(), session, last);
  }

  private void next(Jid account, LocalSession session, long after) {
    router.submit(
        account,
        true,
        new HomeTask() {
          @Override
          public void run(AccountHome home) {
            page(home, session, after);
          }

          @Override
          public void failed(Throwable cause) {
            // The messages stay in the log for the next session.
            session.catchingUp(false);
          }
        });
  }

  private void page(AccountHome home, LocalSession session, long after) {
    if (!home.sessions().contains(session) || session.priority() < 0) {
      session.catchingUp(false);
      return;
    }
    List<Entry> entries = log.waiting(home.jid(), after, PAGE);
    if (entries.isEmpty()) {
      session.catchingUp(false);
      home.waiting(0);
      return;
    }
    List<Long> ids = entries.stream().map(Entry::id).toList();
    Jid account = home.jid();
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      Message message = entry.message();
      for (LateDelivery marker : home.dispatch().lateDelivery()) {
        message = marker.mark(message, entry.time());
      }
      router.stats().delivered.increment();
      if (i < entries.size() - 1) {
        session.send(message);
      } else {
        session.send(
            message,
            () -> {
              log.delivered(account, ids);
              next(account, session, ids.getLast());
            });
      }
    }
  }
}
