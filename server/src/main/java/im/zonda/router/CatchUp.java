package im.zonda.router;

import im.zonda.config.Limits;
import im.zonda.jid.Jid;
import im.zonda.module.LateDelivery;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import java.util.List;
import java.util.Set;

/// Delivers what waits in the log to a session that has become available (XEP-0160).
///
/// Page by page: the next page is read when the one before has been delivered, so a long absence
/// costs no memory. While a session catches up, new messages for it go through the log as well and
/// keep their order.
final class CatchUp {
  private static final int PAGE = 100;

  private final StanzaRouter router;
  private final MessageLog log;
  private final int entries;
  private final int bytes;

  CatchUp(StanzaRouter router, MessageLog log, Limits limits) {
    this.router = router;
    this.log = log;
    // A page must fit into what a session may leave unacknowledged or unread, or it would end at
    // each attempt; and leave room for what else is sent.
    this.entries = Math.min(PAGE, limits.unacknowledgedStanzas() / 2);
    this.bytes = Math.min(limits.unacknowledgedBytes(), limits.outboundBytes()) / 2;
  }

  /// Begins if something may wait and the session may have it. Runs at the session's home.
  void begin(AccountHome home, LocalSession session) {
    if (home.waiting() == 0 || session.isCatchingUp() || session.priority() < 0) {
      return;
    }
    read(home.jid(), session, 0, false);
  }

  /// The first stanza has come from the session's client, or it has had the time for one. If it
  /// does not become available with it, it gets at least what was addressed to it alone.
  void begun(AccountHome home, LocalSession session) {
    session.begun();
    if (home.waiting() != 0) {
      read(home.jid(), session, 0, true);
    }
  }

  /// Goes on after the entry `last` with a session that was saved while it caught up.
  void continueAfter(AccountHome home, LocalSession session, long last) {
    read(home.jid(), session, last, false);
  }

  /// @param own whether only what is addressed to the session itself is read
  private void read(Jid account, LocalSession session, long after, boolean own) {
    session.catchingUp(true);
    next(account, session, after, own);
  }

  private void next(Jid account, LocalSession session, long after, boolean own) {
    router.submit(
        account,
        true,
        new HomeTask() {
          @Override
          public void run(AccountHome home) {
            page(home, session, after, own);
          }

          @Override
          public void failed(Throwable cause) {
            // The messages stay in the log for the next session.
            session.catchingUp(false);
          }
        });
  }

  private void page(AccountHome home, LocalSession session, long from, boolean own) {
    if (!home.sessions().contains(session) || (!own && session.priority() < 0)) {
      session.catchingUp(false);
      return;
    }
    List<Entry> found = List.of();
    long after = from;
    boolean more = true;
    while (found.isEmpty() && more) {
      List<Entry> page = log.waiting(home.jid(), after, PAGE);
      more = !page.isEmpty();
      after = more ? page.getLast().id() : after;
      found = wanted(page, session, own);
    }
    List<Entry> portion = portion(found);
    if (portion.size() < found.size()) {
      after = portion.getLast().id();
    }
    if (portion.isEmpty()) {
      end(home, session, own);
    } else {
      send(home, session, portion, after, own);
    }
  }

  /// The entries that the session has not been sent already.
  private static List<Entry> wanted(List<Entry> page, LocalSession session, boolean own) {
    Set<Long> onTheWay = session.outgoing().entriesOnTheWay();
    return page.stream()
        .filter(entry -> !onTheWay.contains(entry.id()))
        .filter(entry -> !own || session.jid().equals(entry.message().to()))
        .toList();
  }

  /// The first of them, as many as go out at once; one goes however large it is.
  private List<Entry> portion(List<Entry> all) {
    int count = 0;
    for (long size = 0; count < Math.min(all.size(), entries); count++) {
      size += all.get(count).message().writtenSize() + Share.OVERHEAD;
      if (size > bytes && count > 0) {
        break;
      }
    }
    return all.subList(0, count);
  }

  private void end(AccountHome home, LocalSession session, boolean own) {
    session.catchingUp(false);
    if (own) {
      // It may have become available meanwhile.
      begin(home, session);
    } else {
      home.waiting(0);
    }
  }

  private void send(
      AccountHome home, LocalSession session, List<Entry> entries, long after, boolean own) {
    Jid account = home.jid();
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      Message message = entry.message();
      for (LateDelivery marker : home.dispatch().lateDelivery()) {
        message = marker.mark(message, entry.time());
      }
      router.stats().delivered.increment();
      boolean last = i == entries.size() - 1;
      session.send(
          message,
          Logged.read(
              entry.id(),
              () -> {
                // Each by itself: the session may end, or be saved, in the middle of a page.
                log.delivered(account, List.of(entry.id()));
                if (last) {
                  next(account, session, after, own);
                }
              }));
    }
  }
}
