package im.zonda.app.transfer.destination;

import im.zonda.app.transfer.ImportBounds;
import im.zonda.app.transfer.ImportedMessage;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.StanzaIds;
import im.zonda.store.Stores;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Appends the messages of one owner after another to the message log, with their old times.
///
/// Most servers have a message that waits in the archive, too. It becomes one entry, which waits.
/// Confined to one thread; calls block.
final class MessageWriter {
  private static final QName BODY = new QName("jabber:client", "body");

  /// As archives had it before version 0.5 of XEP-0313.
  private static final QName ARCHIVED = new QName("urn:xmpp:mam:tmp", "archived");

  /// How many entries are compared when an import goes on that was interrupted.
  private static final int COMPARED = 1_000;

  private static final long PAGE_BYTES = 1 << 20;

  private final ImportTarget target;
  private final Journal journal;
  private final ImportReport report;
  private final FreeIds ids = new FreeIds();
  private final @Nullable EntryBatch batch;
  private final Map<Key, Deque<ImportedMessage>> waiting = new HashMap<>();
  private @Nullable Jid owner;
  private int waitingCount;
  private long archived;
  private long doneBefore;
  private int toCompare;
  private boolean isFirst = true;
  private boolean isIncomplete;
  private long lastId;

  /// By what the copy of a message is recognised.
  private record Key(@Nullable Jid from, @Nullable String id, String body) {
    static Key of(Message message) {
      Element body = message.payload(BODY);
      Jid from = message.from();
      return new Key(
          from == null ? null : from.bare(), message.id(), body == null ? "" : body.text());
    }
  }

  MessageWriter(ImportTarget target, Journal journal, ImportReport report) {
    this.target = target;
    this.journal = journal;
    this.report = report;
    Stores stores = target.stores();
    this.batch = target.dryRun() || stores == null ? null : new EntryBatch(stores.messages(), ids);
  }

  /// Begins the messages of an owner; false if all of them were taken before.
  boolean begin(Jid newOwner) {
    if (journal.hasAllMessages(newOwner)) {
      return false;
    }
    owner = newOwner;
    waiting.clear();
    waitingCount = 0;
    archived = 0;
    lastId = Long.MIN_VALUE;
    doneBefore = journal.messages(newOwner);
    // Owners come in the same order again, so only the first one can be incomplete.
    isIncomplete = isFirst && journal.isContinued();
    toCompare = isIncomplete ? COMPARED : 0;
    isFirst = false;
    return true;
  }

  /// Takes a message of the owner.
  void add(ImportedMessage message) {
    if (message.message().writtenSize() > ImportBounds.MESSAGE_BYTES) {
      report.leaveOut(kind(message.waiting()), "larger than 1 MiB", 1);
    } else if (message.waiting()) {
      addWaiting(message);
    } else {
      addArchived(message);
    }
  }

  private static Kind kind(boolean waiting) {
    return waiting ? Kind.WAITING : Kind.ARCHIVED;
  }

  private void addWaiting(ImportedMessage message) {
    int most = Math.min(ImportBounds.WAITING, target.config().limits().offlineMessages());
    if (waitingCount >= most) {
      report.leaveOut(
          Kind.WAITING, "more than " + most + " of one account (limits.offline-messages)", 1);
      return;
    }
    waitingCount++;
    waiting.computeIfAbsent(Key.of(message.message()), key -> new ArrayDeque<>()).add(message);
  }

  private void addArchived(ImportedMessage message) {
    Deque<ImportedMessage> copies = waiting.get(Key.of(message.message()));
    boolean waits = copies != null && copies.poll() != null;
    if (waits) {
      waitingCount--;
    }
    String reason = notKept(message.time());
    if (reason != null && !waits) {
      report.leaveOut(Kind.ARCHIVED, reason, 1);
      return;
    }
    archived++;
    if (archived <= doneBefore || (toCompare > 0 && isThere(message))) {
      long _ = id(message.time()); // so that the next one follows it
      return;
    }
    write(message, reason == null ? Keep.ARCHIVE : Keep.UNTIL_DELIVERED, waits);
    report.count(Kind.ARCHIVED, 1);
    report.count(Kind.WAITING, waits ? 1 : 0);
    EntryBatch entries = batch;
    if (entries != null && entries.isFull()) {
      flush(entries);
      journal.countMessages(currentOwner(), archived);
      toCompare = 0;
    }
  }

  /// Why a message of that time does not stay in the archive, or null.
  private @Nullable String notKept(Instant time) {
    if (!target.config().storage().archive()) {
      return "this server has no archive (storage.archive)";
    }
    int days = target.config().archive().keepDays();
    return days > 0 && time.isBefore(target.clock().instant().minus(Duration.ofDays(days)))
        ? "older than " + days + " days (archive.keep-days)"
        : null;
  }

  /// Ends the messages of the owner; all are durable.
  void end() {
    Jid ended = currentOwner();
    boolean alone = archived > 0;
    toCompare = isIncomplete ? COMPARED : 0;
    waiting.values().stream()
        .flatMap(Deque::stream)
        .sorted((one, other) -> one.time().compareTo(other.time()))
        .forEach(message -> {
          if (toCompare == 0 || !isThere(message)) {
            boolean keeps = !alone && notKept(message.time()) == null;
            write(message, keeps ? Keep.ARCHIVE : Keep.UNTIL_DELIVERED, true);
            report.count(Kind.WAITING, 1);
          }
        });
    EntryBatch entries = batch;
    if (entries != null) {
      flush(entries);
      journal.finishMessages(ended);
    }
    waiting.clear();
    owner = null;
  }

  private void flush(EntryBatch entries) {
    report.leaveOut(Kind.ARCHIVED, "the database does not take them", entries.flush());
  }

  private Jid currentOwner() {
    Jid current = owner;
    if (current == null) {
      throw new IllegalStateException("no owner was begun");
    }
    return current;
  }

  private void write(ImportedMessage message, Keep keep, boolean waits) {
    EntryBatch entries = batch;
    if (entries != null) {
      long id = id(message.time());
      Message own = withoutIdOf(currentOwner(), message.message());
      entries.add(new Entry(currentOwner(), id, message.with(), own), keep, waits);
    }
  }

  /// The ids that the other server has assigned mean nothing here.
  private static Message withoutIdOf(Jid owner, Message message) {
    String by = owner.toString();
    Message result = message;
    for (QName name : List.of(StanzaIds.NAME, ARCHIVED)) {
      if (result.has(name)) {
        result = result.withoutPayloads(name, each -> by.equals(each.attribute("by")));
      }
    }
    return result;
  }

  /// An id for that time that no other entry has. Messages of the same millisecond keep their
  /// order; one with a time in the future gets the present.
  private long id(Instant time) {
    Instant now = target.clock().instant();
    long wanted = micros(time.isAfter(now) ? now : time);
    boolean follows = lastId >= wanted && lastId - wanted < 1_000_000;
    lastId = ids.next(follows ? lastId + 1 : wanted);
    return lastId;
  }

  private static long micros(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000);
  }

  /// Whether the owner has that message: the last batch before an interruption may be durable
  /// without being in the journal.
  private boolean isThere(ImportedMessage message) {
    toCompare--;
    Stores stores = target.stores();
    if (stores == null) {
      return false;
    }
    long from = micros(message.time());
    MessageArchive.Page page =
        stores
            .archive()
            .page(
                currentOwner(),
                new MessageArchive.Filter(null, from, from + 1_000_000, null, null),
                new MessageArchive.Portion(false, COMPARED, PAGE_BYTES));
    Key key = Key.of(message.message());
    return page.entries().stream().anyMatch(entry -> Key.of(entry.message()).equals(key))
        || stores.messages().waiting(currentOwner(), from - 1, COMPARED, PAGE_BYTES).stream()
            .anyMatch(
                entry -> entry.id() <= from + 1_000_000 && Key.of(entry.message()).equals(key));
  }
}
