package im.zonda.journal.recording;

import im.zonda.cluster.placement.ClusterView;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.journal.JournalStore;
import im.zonda.journal.JournalStore.Event;
import im.zonda.journal.JournalStore.Query;
import im.zonda.journal.Reason;
import im.zonda.route.Routes;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.timer.PeriodicTask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records stanzas that were not delivered as usual: all of them in memory, where new ones displace
/// the oldest, and most of them in the store a second later.
///
/// A flood costs bounded memory and few writes: memory is divided by senders, of which each can
/// displace a sixteenth; the store gets at most [#HOURLY] events of a sender in an hour, so that
/// one sender never has more than half of it, and at most [#BATCH] a second. Those that it does not
/// get are counted.
public final class DeliveryJournal implements Journal, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeliveryJournal.class);

  /// How long events stay in the store.
  static final Duration KEPT = Duration.ofDays(7);

  /// How many events stay in the store.
  static final int MOST_STORED = 200_000;

  /// How many events of a sender the store gets in an hour.
  static final int HOURLY = 600;

  /// How many events the store gets at once.
  static final int BATCH = 512;

  /// How many events wait for the store.
  private static final int MOST_PENDING = 4 * BATCH;

  /// How many events are in memory.
  private static final int MOST_RECENT = 65_536;

  /// How many bytes those in memory have.
  private static final long RECENT_BYTES = 8L << 20;

  private static final int PARTS = 16;
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration CLEANING = Duration.ofHours(1);
  private static final Comparator<Event> NEWEST = Comparator.comparingLong(Event::id).reversed();

  private final Surroundings around;
  private final int seed;
  private final List<RecentEvents> parts = new ArrayList<>();
  private final SenderShares shares = new SenderShares(HOURLY);
  private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);
  private final LongAdder unstored = new LongAdder();
  private final PeriodicTask cleaning;

  // Guarded by its monitor.
  private final List<Event> pending = new ArrayList<>();

  // Guarded by the monitor of what waits: whether it will be stored.
  private boolean due;

  // Guarded by this object's monitor.
  private boolean failed;

  /// What a journal uses.
  ///
  /// @param node the name of the node; empty without a cluster
  /// @param log gives the ids
  /// @param payer whose share an event of a sender takes
  /// @param cleans whether this node erases old events at present
  public record Surroundings(
      String node,
      MessageLog log,
      JournalStore store,
      UnaryOperator<Jid> payer,
      BooleanSupplier cleans,
      ServerRuntime runtime) {}

  /// @param heap the most bytes that the process may have
  public DeliveryJournal(Surroundings around, long heap) {
    this.around = around;
    this.seed = around.runtime().random().nextInt();
    for (Reason each : Reason.values()) {
      counts.put(each, new LongAdder());
    }
    int bytes = (int) (Math.min(RECENT_BYTES, heap / 64) / PARTS);
    for (int i = 0; i < PARTS; i++) {
      parts.add(new RecentEvents(MOST_RECENT / PARTS, bytes));
    }
    ServerRuntime runtime = around.runtime();
    cleaning =
        PeriodicTask.start(runtime.scheduler(), CLEANING, CLEANING, runtime.workers(), this::clean);
  }

  /// The journal of a server; its routes record in it.
  public static DeliveryJournal of(
      ServerConfig config, Stores stores, Routes routes, ClusterView view, ServerRuntime runtime) {
    String node = Objects.requireNonNullElse(config.cluster().name(), "");
    // Who chooses addresses as they like is one sender.
    UnaryOperator<Jid> payer =
        sender ->
            routes.isServed(sender.domain()) && !routes.to(sender).inventsAddresses()
                ? sender.bare()
                : sender.domainJid();
    Jid place = Jid.of(null, config.hosts().getFirst(), "journal");
    DeliveryJournal journal =
        new DeliveryJournal(
            new Surroundings(
                node,
                stores.messages(),
                stores.journal(),
                payer,
                () -> view.isHere(place),
                runtime),
            Runtime.getRuntime().maxMemory());
    routes.errors().recordBy(journal);
    return journal;
  }

  @Override
  public void record(Entry entry) {
    counter(entry.reason()).increment();
    Event event =
        new Event(
            around.log().nextId(),
            around.node(),
            entry.place().word(),
            entry.reason().word(),
            entry.sender(),
            entry.receiver(),
            entry.kind(),
            entry.stanza(),
            entry.identity(),
            entry.detail());
    int sender = hash(entry.sender());
    parts.get(Math.floorMod(sender, PARTS)).add(event);
    if (!shares.take(sender / PARTS, around.runtime().clock().millis()) || !addPending(event)) {
      unstored.increment();
    }
  }

  private int hash(@Nullable Jid sender) {
    int hash = sender == null ? 0 : around.payer().apply(sender).hashCode();
    // Mixed with a secret, so that no one chooses whose share is taken.
    int mixed = (hash ^ seed) * 0x9e3779b9;
    return (mixed ^ (mixed >>> 15)) & Integer.MAX_VALUE;
  }

  private boolean addPending(Event event) {
    boolean added;
    synchronized (pending) {
      added = pending.size() < MOST_PENDING && pending.add(event);
      if (due) {
        return added;
      }
      due = true;
    }
    storeLater();
    return added;
  }

  private void storeLater() {
    ServerRuntime runtime = around.runtime();
    runtime.scheduler().schedule(PAUSE, () -> runtime.workers().execute(this::storeDue));
  }

  private void storeDue() {
    store();
    synchronized (pending) {
      due = !pending.isEmpty();
      if (!due) {
        return;
      }
    }
    storeLater();
  }

  /// Writes what waits. Blocks.
  public synchronized void store() {
    List<Event> batch;
    synchronized (pending) {
      List<Event> first = pending.subList(0, Math.min(BATCH, pending.size()));
      batch = List.copyOf(first);
      first.clear();
    }
    if (batch.isEmpty()) {
      return;
    }
    try {
      if (around.log().congested()) {
        unstored.add(batch.size());
        return;
      }
      around.store().append(batch);
      failed = false;
    } catch (StoreException e) {
      unstored.add(batch.size());
      if (!failed) {
        LOG.atWarn().addKeyValue("events", batch.size()).setCause(e).log("journal_not_stored");
      }
      failed = true;
    }
  }

  private void clean() {
    if (!around.cleans().getAsBoolean()) {
      return;
    }
    Instant oldest = around.runtime().clock().instant().minus(KEPT);
    try {
      while (around.store().erase(idOf(oldest), BATCH) == BATCH) {
        // There may be more.
      }
      while (around.store().trim(MOST_STORED, BATCH) == BATCH) {
        // There may be more.
      }
    } catch (StoreException e) {
      LOG.atWarn().setCause(e).log("journal_not_erased");
    }
  }

  /// The first id of a time.
  public static long idOf(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000);
  }

  /// Events that a search finds, the newest first: those of all nodes that are in the store, and
  /// those in the memory of this node. Blocks.
  public List<Event> find(Query query) {
    Map<Long, Event> found = new HashMap<>();
    around.store().find(query).forEach(each -> found.put(each.id(), each));
    for (RecentEvents part : parts) {
      part.find(query).forEach(each -> found.put(each.id(), each));
    }
    return found.values().stream().sorted(NEWEST).limit(query.limit()).toList();
  }

  /// Erases what is recorded of an address. Blocks.
  public void forget(Jid address) {
    store();
    parts.forEach(part -> part.forget(address));
    while (around.store().forget(address, BATCH) > 0) {
      // There may be more.
    }
  }

  /// How often a reason was recorded since the start.
  public long count(Reason reason) {
    return counter(reason).sum();
  }

  private LongAdder counter(Reason reason) {
    return Objects.requireNonNull(counts.get(reason));
  }

  /// How many events the store did not get.
  public long unstored() {
    return unstored.sum();
  }

  /// How many bytes of memory events have.
  long bytes() {
    return parts.stream().mapToLong(RecentEvents::bytes).sum();
  }

  /// Writes what waits, and ends. Blocks.
  @Override
  public void close() {
    cleaning.cancel();
    store();
  }
}
