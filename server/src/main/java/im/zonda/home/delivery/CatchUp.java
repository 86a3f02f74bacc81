package im.zonda.home.delivery;

import im.zonda.config.limits.Limits;
import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.LogAction;
import im.zonda.home.session.Share;
import im.zonda.home.session.SharedEntries;
import im.zonda.home.session.WaitingMessages;
import im.zonda.hook.MessageFilter;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Delivers the entries that wait in the log to a session that has become available (XEP-0160).
///
/// The log is read page by page, so that a long absence costs no memory: entries that were sent and
/// have not reached the client are bounded in number and bytes, and the next page is read when half
/// of them have arrived. While a session catches up, new messages for it go through the log as well
/// and keep their order.
///
/// A session that becomes available also gets entries that were sent to a session without a stream
/// (XEP-0198), whose client may never return. It does not get entries on their way to a session
/// with a stream, nor entries that it was sent before: only a resumption sends an entry to a
/// session again.
///
/// While the log cannot be read, new messages for the session wait there, because they would
/// overtake entries that it has not read.
public final class CatchUp {
  private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

  /// The most entries that are on their way to a session that catches up.
  private static final int WINDOW = 1_000;

  /// A message that a session reads a little after it was stored is not late, if the session was
  /// available by then: it took its way through the log.
  private static final Duration LATE = Duration.ofSeconds(5);

  /// The pause after the log could not be read.
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final AccountRegistry registry;
  private final MessageLog log;
  private final int entries;
  private final int bytes;

  public CatchUp(AccountRegistry registry, MessageLog log, Limits limits) {
    this.registry = registry;
    this.log = log;
    // They must fit into what a session may leave unacknowledged or unread, or it would end at
    // each attempt; and leave room for what else is sent.
    this.entries = Math.min(WINDOW, limits.unacknowledgedStanzas() / 2);
    this.bytes = Math.min(limits.unacknowledgedBytes(), limits.outboundBytes()) / 2;
  }

  /// Starts to catch up if entries may wait that the session may have. Runs at the session's home.
  public void begin(AccountHome home, LocalSession session) {
    if (!session.isCatchingUp() && session.priority() >= 0) {
      if (session.since() == 0) {
        session.since(log.nextId());
      }
      if (home.waiting().unread() || isHeldByDetached(home, session)) {
        start(home, session, false);
      }
    }
    releaseShared(home);
  }

  /// Releases the entries that wait for sessions that read the log, if no session reads it now.
  public static void releaseShared(AccountHome home) {
    List<LocalSession> all = home.sessions();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).readsLog()) {
        return;
      }
    }
    home.shared().release();
  }

  /// Whether a session without a stream holds an entry from before this session became available.
  private static boolean isHeldByDetached(AccountHome home, LocalSession session) {
    List<LocalSession> all = home.sessions();
    for (int i = 0; i < all.size(); i++) {
      LocalSession other = all.get(i);
      if (!other.equals(session)
          && other.isDetached()
          && other.outgoing().onTheWay().stream().anyMatch(e -> e.id() < session.since())) {
        return true;
      }
    }
    return false;
  }

  /// Notes that the session has lost its stream: its unacknowledged entries count as waiting, and
  /// go to sessions that have become available since they were sent.
  public void detached(AccountHome home, LocalSession session) {
    if (!session.isDetached() || !home.sessions().contains(session)) {
      return;
    }
    home.waiting().joined(session.outgoing().onTheWay().size());
    for (LocalSession other : home.sessions()) {
      if (!other.isDetached() && other.since() != 0) {
        begin(home, other);
      }
    }
  }

  /// The session's client has sent its first stanza, or has had time for one. Unless that stanza
  /// makes it available, it gets only the messages that were addressed to the session alone.
  public void firstStanzaSeen(AccountHome home, LocalSession session) {
    session.firstStanzaSeen();
    if (home.waiting().unread()) {
      start(home, session, true);
    }
    releaseShared(home);
  }

  /// Starts for a restored or recovered session that was catching up, or may have more to read.
  public void continueReading(AccountHome home, LocalSession session) {
    start(home, session, false);
  }

  /// @param own whether only messages to the full JID of the session are read
  private void start(AccountHome home, LocalSession session, boolean own) {
    session.catchingUp(true);
    session.readUpTo(0);
    new Reading(home, session, own).readOn();
  }

  /// The entries that the session does not get: those it has been sent already, and those sent to
  /// another session while this one was available or the other still has its stream.
  private static Set<Long> elsewhere(AccountHome home, LocalSession session) {
    Set<Long> ids = new HashSet<>();
    home.shared().addKnown(session, session.since(), ids);
    for (LocalSession other : home.sessions()) {
      boolean itself = other.equals(session);
      boolean detached = other.isDetached();
      for (LogAction entry : other.outgoing().onTheWay()) {
        if (itself || (entry.settles() && !(detached && entry.id() < session.since()))) {
          ids.add(entry.id());
        }
      }
    }
    return ids;
  }

  /// Reads the log for one session, from an entry on until nothing more waits. Confined to the
  /// home's mailbox.
  private final class Reading implements HomeTask<AccountHome>, LogAction.Reader {
    private final Jid account;
    private final WaitingMessages waiting;
    private final SharedEntries shared;
    private final LocalSession session;
    private final boolean own;

    /// How often entries had returned when the reading began.
    private final long returns;

    /// The last entry that has been read.
    private long after;

    // Entries on their way to the client, and whether a page is being read or nothing is left to
    // read.
    private int entriesOut;
    private long bytesOut;
    private boolean busy = true;

    /// The next entry is so large that it goes alone.
    private boolean alone;

    /// Entries may wait that this session does not get and others would: those that it was sent
    /// before it was recovered, if that is not recorded, and those that could not be judged.
    private boolean leaves;

    private Reading(AccountHome home, LocalSession session, boolean own) {
      this.account = home.jid();
      this.waiting = home.waiting();
      this.shared = home.shared();
      this.session = session;
      this.returns = waiting.returns();
      this.after = session.sentBefore().upTo();
      this.leaves = after > 0;
      this.own = own;
    }

    private void readUpTo(long id) {
      after = id;
      if (!own) {
        session.readUpTo(id);
      }
    }

    private void readOn() {
      registry.submit(account, true, this);
    }

    @Override
    public void failed(Throwable cause) {
      // The messages stay in the log for the next session.
      session.catchingUp(false);
      registry.submit(account, false, CatchUp::releaseShared);
    }

    @Override
    public void delivered(List<LogAction.Read> arrived) {
      try {
        log.delivered(account, arrived.stream().map(LogAction.Read::id).toList());
        waiting.delivered();
        arrived.forEach(entry -> shared.remove(entry.id()));
      } finally {
        // Entries that could not be marked are delivered once more; the session reads on.
        if (makesRoom(arrived)) {
          readOn();
        }
      }
    }

    /// Whether another page is to be read now.
    private boolean makesRoom(List<LogAction.Read> arrived) {
      entriesOut -= arrived.size();
      for (LogAction.Read entry : arrived) {
        bytesOut -= entry.size();
      }
      if (busy || !hasRoom()) {
        return false;
      }
      busy = true;
      return true;
    }

    private boolean hasRoom() {
      return alone ? entriesOut == 0 : entriesOut <= entries / 2 && bytesOut <= bytes / 2;
    }

    @Override
    public void run(AccountHome home) {
      if (!home.sessions().contains(session) || (!own && session.priority() < 0)) {
        session.catchingUp(false);
        releaseShared(home);
        return;
      }
      int room = entries - entriesOut;
      long bytesLeft = bytes - bytesOut;
      List<Entry> found;
      try {
        found = find(home, room, bytesLeft);
      } catch (StoreException e) {
        if (!e.retryable()) {
          throw e;
        }
        // Messages that are sent to the session meanwhile must not overtake unread entries.
        LOG.atDebug().addKeyValue("session", session.jid()).setCause(e).log("catch_up_waits");
        registry.submitLater(RETRY, account, this);
        return;
      }
      if (found.isEmpty()) {
        end(home);
        return;
      }
      List<Entry> page = cut(found, bytesLeft);
      if (!page.isEmpty()) {
        send(home, page);
      }
      alone = page.isEmpty();
      if (!hasRoom()) {
        busy = false;
        return;
      }
      readOn();
    }

    /// The next entries that the session wants; empty when there are no more.
    private List<Entry> find(AccountHome home, int limit, long size) {
      while (true) {
        List<Entry> read = log.waiting(account, after, limit, size);
        if (read.isEmpty()) {
          return read;
        }
        Set<Long> elsewhere = elsewhere(home, session);
        List<Entry> wanted =
            read.stream()
                .filter(entry -> !elsewhere.contains(entry.id()))
                .filter(entry -> !own || session.jid().equals(entry.message().to()))
                .filter(entry -> !isLeft(home, entry))
                .toList();
        if (!wanted.isEmpty()) {
          return wanted;
        }
        readUpTo(read.getLast().id());
      }
    }

    /// Whether the session does not get an entry: the account refuses the entry, or leaves it to
    /// other sessions.
    private boolean isLeft(AccountHome home, Entry entry) {
      if (session.sentBefore().contains(entry.id())) {
        leaves = true;
        return true;
      }
      try {
        return isRefused(home, entry);
      } catch (StoreException e) {
        throw e;
      } catch (RuntimeException e) {
        // Later entries are delivered.
        LOG.atError()
            .addKeyValue("account", home.jid())
            .addKeyValue("entry", entry.id())
            .setCause(e)
            .log("waiting_message_not_judged");
        leaves = true;
        return true;
      }
    }

    /// As many of them as fit; one goes however large it is, when nothing else is on its way.
    private List<Entry> cut(List<Entry> all, long size) {
      int count = 0;
      for (long left = size; count < all.size(); count++) {
        left -= sizeOf(all.get(count));
        if (left < 0 && (count > 0 || size < bytes)) {
          break;
        }
      }
      return all.subList(0, count);
    }

    private void send(AccountHome home, List<Entry> page) {
      List<LogAction.Read> logged = new ArrayList<>(page.size());
      for (Entry entry : page) {
        logged.add(new LogAction.Read(entry.id(), sizeOf(entry), this));
        entriesOut++;
        bytesOut += sizeOf(entry);
      }
      readUpTo(page.getLast().id());
      Instant before = MessageLog.timeOf(log.nextId()).minus(LATE);
      for (int i = 0; i < page.size(); i++) {
        Entry entry = page.get(i);
        boolean isLate =
            session.since() == 0 || entry.id() < session.since() || entry.time().isBefore(before);
        registry.stats().delivered.increment();
        Message message = entry.message();
        session.send(
            isLate ? home.dispatch().markLate(message, entry.time()) : message, logged.get(i));
      }
    }

    private void end(AccountHome home) {
      session.catchingUp(false);
      if (returns != waiting.returns()) {
        start(home, session, own);
      } else if (own) {
        // The session may have become available meanwhile.
        begin(home, session);
      } else {
        if (!leaves) {
          home.waiting().unread(false);
        }
        home.waiting().delivered(); // the log sets aside what it cannot read
        releaseShared(home);
      }
    }
  }

  private static int sizeOf(Entry entry) {
    return entry.message().writtenSize() + Share.OVERHEAD;
  }

  /// Whether the account has blocked the sender since. Then the sender gets the error that it would
  /// get now, and the entry no longer waits.
  private boolean isRefused(AccountHome home, Entry entry) {
    for (MessageFilter filter : home.dispatch().messagesRefusing()) {
      if (filter.filter(entry.message(), home, null) instanceof Verdict.Refuse(var error, _)) {
        log.delivered(home.jid(), List.of(entry.id()));
        home.waiting().delivered();
        home.shared().remove(entry.id());
        registry.refuse(entry.message(), error);
        return true;
      }
    }
    return false;
  }
}
