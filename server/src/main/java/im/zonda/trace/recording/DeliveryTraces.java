package im.zonda.trace.recording;

import im.zonda.cluster.placement.ClusterView;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.journal.Erasure;
import im.zonda.journal.Journal;
import im.zonda.journal.Place;
import im.zonda.module.Envelope;
import im.zonda.route.Routes;
import im.zonda.route.Tracing;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIdentity;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.timer.PeriodicTask;
import im.zonda.trace.TraceStore;
import im.zonda.trace.TraceStore.Query;
import im.zonda.trace.TraceStore.Step;
import im.zonda.trace.TraceStore.Traced;
import im.zonda.trace.Verdict;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notes the steps of messages that administrators have chosen: all of them in memory, where new
/// ones displace the oldest, and most of them in the store a second later.
///
/// Messages of the type error are not traced: what they are about is a step of the message that
/// they answer.
public final class DeliveryTraces implements Tracing.Recorder, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeliveryTraces.class);

  /// How long messages and steps stay in the store.
  static final Duration KEPT = Duration.ofDays(7);

  /// How many steps stay in the store: about 64 MiB.
  static final int MOST_STORED = 300_000;

  /// How many steps the store gets at once.
  static final int BATCH = 2_048;

  /// How many steps wait for the store.
  static final int MOST_PENDING = 4 * BATCH;

  /// How many steps are in memory: about 8 MiB.
  private static final int MOST_RECENT = 32_768;

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration CLEANING = Duration.ofHours(1);
  private static final Comparator<Traced> NEWEST = Comparator.comparingLong(Traced::id).reversed();
  private static final Comparator<Step> IN_TIME =
      Comparator.comparingLong(Step::time).thenComparingLong(Step::id);

  private final Surroundings around;
  private final Tracing tracing;
  private final RecentTraces recent;
  private final LongAdder noted = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final PeriodicTask cleaning;
  private volatile Function<String, Predicate<InetAddress>> ranges = _ -> _ -> false;
  private volatile Choices choices = new Choices(List.of(), ranges);
  private volatile @Nullable Observer observer;

  // Guarded by the monitor of the steps.
  private final List<Step> pendingSteps = new ArrayList<>();
  private final List<Traced> pendingMessages = new ArrayList<>();
  private boolean due;

  // Guarded by this object's monitor.
  private boolean failed;

  /// Gets what is noted at this node, at once. Must not block; any thread may call.
  public interface Observer {
    /// A message is traced from now on.
    void began(Traced message);

    /// A step of a message was noted, maybe of one that has begun at another node.
    void noted(Step step);

    /// The messages of an address were erased here.
    void forgotten(Jid address);
  }

  /// What tracing uses.
  ///
  /// @param node the name of the node; empty without a cluster
  /// @param log gives the ids
  /// @param cleans whether this node erases what is old at present
  public record Surroundings(
      String node,
      MessageLog log,
      TraceStore store,
      BooleanSupplier cleans,
      ServerRuntime runtime) {}

  /// Nothing is chosen yet.
  ///
  /// @param heap the most bytes that the process may have
  public DeliveryTraces(Surroundings around, Tracing tracing, long heap) {
    this.around = around;
    this.tracing = tracing;
    this.recent = new RecentTraces((int) Math.min(MOST_RECENT, heap / 64 / 256));
    ServerRuntime runtime = around.runtime();
    cleaning =
        PeriodicTask.start(runtime.scheduler(), CLEANING, CLEANING, runtime.workers(), this::clean);
  }

  /// The traces of a server.
  public static DeliveryTraces of(
      ServerConfig config, Stores stores, Routes routes, ClusterView view, ServerRuntime runtime) {
    Jid place = Jid.of(null, config.hosts().getFirst(), "traces");
    Surroundings around =
        new Surroundings(
            Objects.requireNonNullElse(config.cluster().name(), ""),
            stores.messages(),
            stores.traces(),
            () -> view.isHere(place),
            runtime);
    return new DeliveryTraces(around, routes.errors().tracing(), Runtime.getRuntime().maxMemory());
  }

  /// Sets how the addresses of a network are found; until then no address is of any.
  public void findNetworksBy(Function<String, Predicate<InetAddress>> finder) {
    ranges = finder;
  }

  /// Has `next` get what is noted from now on; null for no one.
  public void observeBy(@Nullable Observer next) {
    observer = next;
  }

  /// Traces what these choose, from now on.
  public synchronized void choose(List<Choice> chosen) {
    Instant now = around.runtime().clock().instant();
    Choices next = new Choices(chosen.stream().filter(each -> each.holds(now)).toList(), ranges);
    choices = next;
    tracing.recordBy(next.isEmpty() ? null : this);
  }

  /// What is chosen now: what has ended is so no longer.
  private Choices present() {
    Choices now = choices;
    if (around.runtime().clock().millis() < now.end()) {
      return now;
    }
    choose(now.at(around.runtime().clock().instant()));
    return choices;
  }

  // ---- steps

  @Override
  public long received(Stanza stanza, long identity, Tracing.Arrival arrival) {
    if (!(stanza instanceof Message message) || message.isError()) {
      return 0;
    }
    Choices now = present();
    String name = now.fitting(message, null);
    name = name == null ? now.fittingAtArrival(arrival.network()) : name;
    if (name == null) {
      return 0;
    }
    long trace = begin(name, message, null, identity);
    add(
        trace,
        micros() - arrival.nanos() / 1_000,
        new What(arrival.place(), Verdict.RECEIVED, null, arrival.detail()));
    return trace;
  }

  @Override
  public boolean step(Envelope envelope, Place place, Verdict verdict, @Nullable String detail) {
    if (!(envelope.stanza() instanceof Message message) || message.isError()) {
      return false;
    }
    long trace = trace(envelope, message);
    if (trace != 0) {
      add(trace, micros(), new What(place, verdict, null, detail));
    }
    return trace != 0;
  }

  @Override
  public void step(long trace, Place place, Verdict verdict, @Nullable String detail) {
    add(trace, micros(), new What(place, verdict, null, detail));
  }

  @Override
  public void decided(Journal.Entry entry, long trace) {
    long known =
        trace == 0 ? recent.trace(entry.sender(), entry.receiver(), entry.stanza()) : trace;
    if (known != 0) {
      Verdict verdict = Verdict.of(entry.reason().effect());
      String reason = entry.reason().word();
      add(known, micros(), new What(entry.place(), verdict, reason, entry.detail()));
    }
  }

  private long trace(Envelope envelope, Message message) {
    long trace = envelope.origin().trace();
    Jid author = envelope.author();
    if (trace != 0) {
      // Of what a room sends, only what is for those who were chosen.
      boolean others = Choices.isCopy(message) && choices.fitting(message, author) == null;
      return others ? 0 : trace;
    }
    String name = present().fitting(message, author);
    if (name == null) {
      return 0;
    }
    Jid sender = author == null ? message.from() : author;
    long known = recent.trace(sender, message.to(), message.id());
    return known == 0 ? begin(name, message, author, envelope.origin().identity()) : known;
  }

  private long begin(String name, Message message, @Nullable Jid author, long identity) {
    long id = around.log().nextId();
    Jid sender = author == null ? message.from() : author;
    long trace = identity == 0 ? StanzaIdentity.of(around.node() + sender, id) : identity;
    Traced traced =
        new Traced(
            id,
            trace,
            name,
            around.node(),
            sender,
            message.to(),
            message.type().name().toLowerCase(Locale.ROOT),
            message.id());
    recent.add(traced);
    Observer present = observer;
    if (present != null) {
      present.began(traced);
    }
    synchronized (pendingSteps) {
      if (pendingMessages.size() < MOST_PENDING) {
        pendingMessages.add(traced);
      }
    }
    return trace;
  }

  private long micros() {
    Instant now = around.runtime().clock().instant();
    return now.getEpochSecond() * 1_000_000L + now.getNano() / 1_000;
  }

  private record What(
      Place place, Verdict verdict, @Nullable String reason, @Nullable String detail) {}

  private void add(long trace, long time, What what) {
    Step step =
        new Step(
            around.log().nextId(),
            trace,
            time,
            around.node(),
            what.place().word(),
            what.verdict().word(),
            what.reason(),
            what.detail());
    noted.increment();
    recent.add(step);
    Observer present = observer;
    if (present != null) {
      present.noted(step);
    }
    synchronized (pendingSteps) {
      if (pendingSteps.size() < MOST_PENDING) {
        pendingSteps.add(step);
      } else {
        dropped.increment();
      }
      if (due) {
        return;
      }
      due = true;
    }
    storeLater();
  }

  // ---- the store

  private void storeLater() {
    ServerRuntime runtime = around.runtime();
    runtime.scheduler().schedule(PAUSE, () -> runtime.workers().execute(this::storeDue));
  }

  private void storeDue() {
    store();
    synchronized (pendingSteps) {
      due = !pendingSteps.isEmpty() || !pendingMessages.isEmpty();
      if (!due) {
        return;
      }
    }
    storeLater();
  }

  /// Writes what waits. Blocks.
  public synchronized void store() {
    List<Traced> messages;
    List<Step> steps;
    synchronized (pendingSteps) {
      messages = take(pendingMessages);
      steps = take(pendingSteps);
    }
    if (messages.isEmpty() && steps.isEmpty()) {
      return;
    }
    try {
      if (around.log().congested()) {
        dropped.add(steps.size());
        return;
      }
      around.store().append(messages, steps);
      failed = false;
    } catch (StoreException e) {
      dropped.add(steps.size());
      if (!failed) {
        LOG.atWarn().addKeyValue("steps", steps.size()).setCause(e).log("traces_not_stored");
      }
      failed = true;
    }
  }

  private static <T> List<T> take(List<T> from) {
    List<T> first = from.subList(0, Math.min(BATCH, from.size()));
    List<T> taken = List.copyOf(first);
    first.clear();
    return taken;
  }

  private void clean() {
    if (!around.cleans().getAsBoolean()) {
      return;
    }
    Instant oldest = around.runtime().clock().instant().minus(KEPT);
    try {
      while (around.store().erase(oldest.toEpochMilli() * 1_000, BATCH) == BATCH) {
        // There may be more.
      }
      while (around.store().trim(MOST_STORED, BATCH) == BATCH) {
        // There may be more.
      }
    } catch (StoreException e) {
      LOG.atWarn().setCause(e).log("traces_not_erased");
    }
  }

  // ---- what is known

  /// Messages that a search finds, the newest first: those of all nodes that are in the store, and
  /// those in the memory of this node. Blocks.
  public List<Traced> find(Query query) {
    Map<Long, Traced> found = new HashMap<>();
    around.store().find(query).forEach(each -> found.put(each.id(), each));
    recent.find(query).forEach(each -> found.put(each.id(), each));
    return found.values().stream().sorted(NEWEST).limit(query.limit()).toList();
  }

  /// What is known of a message with that trace; null if there is none. Blocks.
  public @Nullable Traced message(long trace) {
    Map<Long, Traced> found = new HashMap<>();
    around.store().messages(trace).forEach(each -> found.put(each.id(), each));
    recent.messages(trace).forEach(each -> found.put(each.id(), each));
    return found.values().stream().min(NEWEST.reversed()).orElse(null);
  }

  /// The steps of a message at all nodes, in the order of their times. Blocks.
  public List<Step> steps(long trace) {
    Map<Long, Step> found = new HashMap<>();
    around.store().steps(trace).forEach(each -> found.put(each.id(), each));
    recent.steps(trace).forEach(each -> found.put(each.id(), each));
    return found.values().stream().sorted(IN_TIME).limit(TraceStore.MAX_PAGE).toList();
  }

  /// Erases what is known of the messages of an address. Blocks.
  public void forget(Jid address) {
    store();
    recent.forget(address);
    Observer present = observer;
    if (present != null) {
      present.forgotten(address);
    }
    while (around.store().forget(address, BATCH) > 0) {
      // There may be more.
    }
  }

  /// Erases what is known of an address here, and elsewhere.
  ///
  /// @param elsewhere erases there
  public Erasure erasure(Erasure elsewhere) {
    return address -> {
      elsewhere.erase(address);
      forget(address);
    };
  }

  /// How many steps were noted since the start.
  public long noted() {
    return noted.sum();
  }

  /// How many of them the store did not get.
  public long dropped() {
    return dropped.sum();
  }

  /// Writes what waits, and ends. Blocks.
  @Override
  public void close() {
    tracing.recordBy(null);
    cleaning.cancel();
    store();
  }
}
