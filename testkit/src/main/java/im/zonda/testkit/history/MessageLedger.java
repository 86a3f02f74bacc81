package im.zonda.testkit.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Records millions of messages between reconnecting clients, the server's acknowledgements and
/// every received copy, and checks them. Thread-safe.
///
/// A sender counts its messages from 1 for each receiver, in the order in which it first sends
/// them. `docs/reliability.md` defines the terms; [LedgerReport] is the result.
public final class MessageLedger {
  /// What a copy in a session proves.
  public enum Trust {
    /// The session uses Stream Management, so the server knows what has arrived.
    MANAGED,
    /// Without Stream Management: messages may be lost on the way.
    UNMANAGED,
    /// The archive.
    ARCHIVE
  }

  // Bounded, because a broken server repeats its errors; the journal has them all.
  private static final int VIOLATIONS = 1_000;

  private record Pair(String from, String to) {}

  /// A receiver's session, from its bind to its end, resumptions included; or one reading of an
  /// archive.
  private record Session(
      String receiver, String device, boolean onlyDevice, String order, Trust trust) {}

  private record Copy(int session, String stanzaId) {}

  private static final class Entry {
    /// The broken links before it was first sent.
    private final int breaksBefore;

    private boolean acknowledged;
    private boolean refused;
    private int sendings = 1;
    private final List<Copy> copies = new ArrayList<>(2);

    private Entry(int breaksBefore) {
      this.breaksBefore = breaksBefore;
    }
  }

  private static final class Book {
    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Long> latest = new HashMap<>();
  }

  private final @Nullable Journal journal;
  private final boolean federated;
  private final Map<Pair, Book> books = new HashMap<>();
  private final List<Session> sessions = new ArrayList<>();
  private final Set<String> archivesRead = new HashSet<>();
  private final List<History.Key> invented = new ArrayList<>();
  private final List<History.Key> repeated = new ArrayList<>();
  private final List<History.Key> doubled = new ArrayList<>();
  private final List<History.Key> reordered = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private long sent;
  private long acknowledged;
  private long sameStanzaId;
  private long sameOriginId;
  private long sentAgainByServer;
  private long arrivals;
  private int breaks;
  private boolean breaking;

  /// Creates an empty ledger of messages between users of one server.
  ///
  /// @param journal receives every record; null for none
  public MessageLedger(@Nullable Journal journal) {
    this(journal, false);
  }

  private MessageLedger(@Nullable Journal journal, boolean federated) {
    this.journal = journal;
    this.federated = federated;
  }

  /// Creates an empty ledger of messages between users of two servers. When the link between them
  /// breaks, the sender's server sends again what the other one has not acknowledged: for each
  /// [#linkBreaks] and [#linkBroken] since a message was first sent it may have one more stanza-id.
  /// The same holds for the link between an edge and a server that is killed.
  public static MessageLedger federated(@Nullable Journal journal) {
    return new MessageLedger(journal, true);
  }

  /// Called before the link between the two servers is broken, such as by killing a server. It may
  /// break at any time until [#linkBroken], also after messages that are sent in the meantime.
  public synchronized void linkBreaks() {
    breaking = true;
    countBreak();
  }

  /// Records that the link may have broken for the last time, such as after a server that was
  /// killed has been started again.
  public synchronized void linkBroken() {
    breaking = false;
    countBreak();
  }

  private void countBreak() {
    breaks++;
    if (journal != null) {
      journal.note("link-broken", Integer.toString(breaks));
    }
  }

  /// Records that a sender starts to send this message, the next of its pair.
  ///
  /// @throws IllegalArgumentException if its number is not the next
  public synchronized void sent(History.Key message) {
    Book book = books.computeIfAbsent(pair(message), _ -> new Book());
    if (message.number() != book.entries.size() + 1) {
      throw new IllegalArgumentException(message + " is not the next after " + book.entries.size());
    }
    book.entries.add(new Entry(breaking ? breaks - 1 : breaks));
    sent++;
    note("sent", message);
  }

  /// Records that the sender has sent a message again in a new session, because the server had not
  /// acknowledged it in the former. Messages that are sent again in a resumed session are not
  /// recorded: the server has reported that it did not have them.
  public synchronized void sentAgain(History.Key message) {
    Entry entry = find(message);
    if (entry != null) {
      entry.sendings++;
    }
    note("sent-again", message);
  }

  /// Records that the server has acknowledged a message to its sender.
  public synchronized void acknowledged(History.Key message) {
    Entry entry = find(message);
    if (entry != null && !entry.acknowledged) {
      entry.acknowledged = true;
      acknowledged++;
    }
    note("acknowledged", message);
    notifyAll();
  }

  /// Records that the sender has received an error for a message.
  public synchronized void refused(History.Key message) {
    Entry entry = find(message);
    if (entry != null) {
      entry.refused = true;
    }
    note("refused", message);
  }

  /// Records a protocol violation.
  public synchronized void violated(String how) {
    if (violations.size() < VIOLATIONS) {
      violations.add(how);
    }
    if (journal != null) {
      journal.note("violated", how);
    }
  }

  /// Records the start of a receiver's session.
  ///
  /// @param onlyDevice whether the receiver has no other; then order is judged over all its
  ///   sessions, otherwise within this one, because what one device has not taken may reach the
  ///   other late
  /// @param trust whether the session has Stream Management
  /// @return the session's number
  public synchronized int session(String receiver, String device, boolean onlyDevice, Trust trust) {
    String order = onlyDevice ? device : device + "#" + sessions.size();
    return add(new Session(receiver, device, onlyDevice, order, trust));
  }

  /// Records the start of a session without Stream Management of a receiver that has one device.
  /// Order is judged over its sessions between two kills of the server: a message whose bytes had
  /// left for the client and were lost is sent again if the server is killed before it is durable
  /// that they had left, and then comes after later ones.
  ///
  /// @param kills how often the server had been killed before the connection
  /// @return the session's number
  public synchronized int unmanagedSession(String receiver, String device, int kills) {
    String order = device + " after kill " + kills;
    return add(new Session(receiver, device, true, order, Trust.UNMANAGED));
  }

  private int add(Session session) {
    sessions.add(session);
    if (journal != null) {
      String device = session.receiver() + "/" + session.device();
      journal.note("session", device + " " + (sessions.size() - 1));
    }
    return sessions.size() - 1;
  }

  /// Records that a receiver's archive is read from its beginning.
  ///
  /// @return the reading's number, to be used as a session
  public synchronized int archive(String receiver) {
    archivesRead.add(receiver);
    sessions.add(new Session(receiver, "the archive", true, "the archive", Trust.ARCHIVE));
    return sessions.size() - 1;
  }

  /// As [#arrived(int, History.Key, String, boolean)], of a message that is not late.
  public synchronized void arrived(int session, History.Key message, String stanzaId) {
    arrived(session, message, stanzaId, false);
  }

  /// Records a copy of the message that was received in a session or read from an archive; called
  /// in reading order.
  ///
  /// @param stanzaId the id that the receiver's server assigned; empty if there is none
  /// @param late whether the server says that it is delivered late (XEP-0203). If the receiver has
  ///   two devices it has no order then: it may have been sent to the other one alone, which was
  ///   available before this one and has not acknowledged it.
  public synchronized void arrived(
      int session, History.Key message, String stanzaId, boolean late) {
    if (journal != null) {
      journal.note("arrived", message + " " + session + " " + stanzaId);
    }
    arrivals++;
    Session place = sessions.get(session);
    Entry entry = find(message);
    if (entry == null || !place.receiver().equals(message.to())) {
      invented.add(message);
      return;
    }
    if (place.onlyDevice() || !late) {
      judgeOrder(message, place, entry, stanzaId);
    }
    judgeCopy(message, session, place, entry, stanzaId);
    entry.copies.add(new Copy(session, stanzaId));
  }

  private void judgeOrder(History.Key message, Session place, Entry entry, String stanzaId) {
    for (Copy copy : entry.copies) {
      if (sessions.get(copy.session()).order().equals(place.order())) {
        return; // not its first arrival
      }
    }
    if (!entry.copies.isEmpty() && !entry.copies.getFirst().stanzaId().equals(stanzaId)) {
      return; // the receiver has it; this copy is here because its sender sent it again
    }
    if (entry.refused) {
      return; // its sender has got an error, and has sent it again after later ones
    }
    if (place.trust() == Trust.UNMANAGED && (entry.sendings > 1 || federated)) {
      return; // its first copy may have been lost on the way to this client
    }
    Book book = books.computeIfAbsent(pair(message), _ -> new Book());
    if (book.latest.merge(place.order(), message.number(), Math::max) > message.number()) {
      reordered.add(message);
    }
  }

  private void judgeCopy(
      History.Key message, int session, Session place, Entry entry, String stanzaId) {
    boolean known = false;
    boolean here = false;
    for (Copy copy : entry.copies) {
      boolean same = !stanzaId.isEmpty() && copy.stanzaId().equals(stanzaId);
      known |= same;
      if (sessions.get(copy.session()).device().equals(place.device())) {
        here = true;
        if (same && copy.session() == session) {
          repeated.add(message);
          return;
        }
      }
    }
    if (known) {
      sameStanzaId += here ? 1 : 0;
    } else if (stanzaId.isEmpty() ? here : !entry.copies.isEmpty()) {
      judgeOtherCopy(message, entry);
    }
  }

  /// Checks a new stanza-id: there may be one for each time that the sender sent the message.
  private void judgeOtherCopy(History.Key message, Entry entry) {
    Set<String> ids = new HashSet<>();
    int without = 0;
    for (Copy copy : entry.copies) {
      if (copy.stanzaId().isEmpty()) {
        without++;
      } else {
        ids.add(copy.stanzaId());
      }
    }
    int others = Math.max(ids.size(), without);
    if (others < entry.sendings) {
      sameOriginId++;
    } else if (federated && others < entry.sendings + breaks - entry.breaksBefore) {
      sentAgainByServer++;
    } else {
      doubled.add(message);
    }
  }

  private @Nullable Entry find(History.Key message) {
    Book book = books.get(pair(message));
    return book == null || message.number() < 1 || message.number() > book.entries.size()
        ? null
        : book.entries.get((int) message.number() - 1);
  }

  private static Pair pair(History.Key message) {
    return new Pair(message.from(), message.to());
  }

  private void note(String event, History.Key message) {
    if (journal != null) {
      journal.note(event, message.toString());
    }
  }

  /// The messages acknowledged so far.
  public synchronized long acknowledgedCount() {
    return acknowledged;
  }

  /// Waits until `count` messages have been acknowledged.
  ///
  /// @return false after a timeout
  public synchronized boolean awaitAcknowledged(long count, Duration patience)
      throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (acknowledged < count) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  /// The number of copies of any kind so far.
  public synchronized long arrivals() {
    return arrivals;
  }

  /// The acknowledged messages to a receiver, or to all if it is null, that have neither been
  /// received nor answered with an error so far.
  public synchronized long missing(@Nullable String receiver) {
    long missing = 0;
    for (Map.Entry<Pair, Book> book : books.entrySet()) {
      if (receiver == null || receiver.equals(book.getKey().to())) {
        for (Entry entry : book.getValue().entries) {
          missing += isMissing(entry) ? 1 : 0;
        }
      }
    }
    return missing;
  }

  private static boolean isMissing(Entry entry) {
    return entry.acknowledged && !entry.refused && entry.copies.isEmpty();
  }

  /// Checks the records.
  public synchronized LedgerReport report() {
    List<History.Key> lost = new ArrayList<>();
    List<History.Key> notInArchive = new ArrayList<>();
    long delivered = 0;
    long onlyInArchive = 0;
    long refused = 0;
    for (Map.Entry<Pair, Book> book : books.entrySet()) {
      Pair pair = book.getKey();
      boolean archive = archivesRead.contains(pair.to());
      long number = 0;
      for (Entry entry : book.getValue().entries) {
        number++;
        if (!entry.acknowledged) {
          continue;
        }
        boolean inArchive = false;
        boolean live = false;
        for (Copy copy : entry.copies) {
          boolean archived = sessions.get(copy.session()).trust() == Trust.ARCHIVE;
          inArchive |= archived;
          live |= !archived;
        }
        delivered += live ? 1 : 0;
        onlyInArchive += inArchive && !live ? 1 : 0;
        refused += entry.refused ? 1 : 0;
        if (isMissing(entry)) {
          lost.add(new History.Key(pair.from(), pair.to(), number));
        } else if (archive && !inArchive && !entry.refused) {
          notInArchive.add(new History.Key(pair.from(), pair.to(), number));
        }
      }
    }
    return new LedgerReport(
        new LedgerReport.Counts(
            sent,
            acknowledged,
            delivered,
            onlyInArchive,
            refused,
            archivesRead.size(),
            sameStanzaId,
            sameOriginId,
            sentAgainByServer),
        lost,
        notInArchive,
        List.copyOf(invented),
        List.copyOf(repeated),
        List.copyOf(doubled),
        List.copyOf(reordered),
        List.copyOf(violations));
  }
}
