package im.zonda.home.remote;

import im.zonda.config.S2s;
import im.zonda.home.HomeTask;
import im.zonda.home.Homes;
import im.zonda.home.remote.OpenStreams.OpenStream;
import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamGate;
import im.zonda.link.ServerStreamLink;
import im.zonda.module.Envelope;
import im.zonda.module.Scheduler;
import im.zonda.route.Destination;
import im.zonda.route.ErrorReplies;
import im.zonda.route.Tracing;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.RemoteQueueStore;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// The domains of other servers as a destination, and the gate of the streams with them. Any thread
/// may call.
public final class RemoteDomains implements Destination, ServerStreamGate {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteDomains.class);

  /// How long the other servers have to acknowledge their stanzas when a home moves.
  private static final Duration TIME_TO_ACKNOWLEDGE = Duration.ofSeconds(2);

  private static final String TOO_MANY = "too many domains have a stream";

  /// Queues that are loaded at a time after a start.
  private static final int PAGE = 100;

  private final RemoteSetup setup;
  private final RemoteErrors errors;
  private final OpenStreams streams;
  private final QueueBudget budget;
  private final Homes<DomainPairQueue> homes;

  private final PairTable table = new PairTable(this::displaced);

  /// Domains served here whose queues have been loaded after the start.
  private final Set<String> restored = ConcurrentHashMap.newKeySet();

  /// Remote domains without streams and queues.
  ///
  /// @param homes how homes are loaded and run
  /// @param heap the most bytes that the process may have
  public RemoteDomains(RemoteSetup setup, Connector connector, Homes.Setup homes, long heap) {
    this.setup = setup;
    this.errors = new RemoteErrors(setup.routes().errors());
    this.streams = new OpenStreams(setup.runtime().scheduler(), setup.routes().errors());
    this.budget = new QueueBudget(heap, this::shed);
    RemoteShared shared =
        new RemoteShared(
            setup,
            connector,
            streams,
            budget,
            Backoff.standard(setup.runtime().random()),
            this::scheduleRetry);
    this.homes = new Homes<>(new DomainPairQueues(shared, table::unloaded), homes);
  }

  private Scheduler.Cancellable scheduleRetry(DomainPair pair, Duration delay) {
    return setup
        .runtime()
        .scheduler()
        .schedule(delay, () -> atLoaded(pair, DomainPairQueue::retry));
  }

  // ---- to other servers

  /// Queues a stanza for a domain that is not served here, or answers it with an error.
  @Override
  public void accept(Envelope envelope) {
    Jid from = envelope.stanza().from();
    Jid to = envelope.stanza().to();
    if (from == null || to == null || !setup.routes().isServed(from.domain())) {
      // Neither relays for others, nor speaks for a domain that is no longer served.
      StanzaError error = StanzaError.of(ErrorCondition.REMOTE_SERVER_NOT_FOUND);
      ErrorReplies replies = setup.routes().errors();
      replies.reject(envelope, error, Place.ROUTE, Reason.NOT_SERVED, null);
      return;
    }
    S2s settings = setup.settings().get();
    DomainPair pair = new DomainPair(from.domain(), to.domain());
    Jid address = table.address(pair);
    if (address == null && !settings.permits(pair.remote())) {
      errors.reject(envelope, ErrorCondition.NOT_ALLOWED);
      return;
    }
    // Only pairs of this node are counted here.
    address = address == null ? RemoteQueueStore.address(pair.local(), pair.remote()) : address;
    if (homes.isHere(address)
        && !table.use(pair, Payer.of(envelope, setup.routes()), settings.limits().links())) {
      errors.reject(envelope, ErrorCondition.RESOURCE_CONSTRAINT);
      return;
    }
    if (!homes.accept(address, envelope)) {
      errors.reject(envelope, ErrorCondition.SERVICE_UNAVAILABLE);
    }
  }

  private Jid address(DomainPair pair) {
    Jid known = table.address(pair);
    return known == null ? RemoteQueueStore.address(pair.local(), pair.remote()) : known;
  }

  /// Runs a task at the home of a pair, which is loaded if it is not.
  private void atHome(DomainPair pair, Payer payer, HomeTask<DomainPairQueue> task) {
    table.useAnyway(pair, payer);
    if (!homes.submit(address(pair), task, null)) {
      table.unloaded(pair);
      LOG.atDebug().addKeyValue("pair", pair).log("remote_domain_closed");
    }
  }

  private boolean isHere(DomainPair pair) {
    return homes.isHere(RemoteQueueStore.address(pair.local(), pair.remote()));
  }

  private void atLoaded(DomainPair pair, HomeTask<DomainPairQueue> task) {
    homes.submitIfLoaded(address(pair), task);
  }

  /// The pair has lost its place to another one.
  private void displaced(DomainPair pair, Set<ServerStreamLink> carriers) {
    LOG.atInfo().addKeyValue("pair", pair).log("remote_domain_displaced");
    atLoaded(pair, DomainPairQueue::displace);
    carriers.forEach(link -> link.close(StreamErrorCondition.RESOURCE_CONSTRAINT, TOO_MANY));
  }

  private void shed(DomainPair pair, Payer payer) {
    atLoaded(pair, home -> home.shed(payer));
  }

  // ---- from streams

  @Override
  public void accepted(DomainPair pair, ServerStreamLink link) {
    ServerStreamLink.Status status = link.status();
    if (isPermitted(pair, link) && hasPlace(pair, link, status)) {
      streams.add(pair, link, now());
      if (status.incoming() && !status.bidirectional()) {
        atLoaded(pair, DomainPairQueue::reachable); // a bidirectional one becomes ready itself
      }
    }
  }

  @Override
  public void ready(DomainPair pair, ServerStreamLink link) {
    ServerStreamLink.Status status = link.status();
    if (isPermitted(pair, link) && hasPlace(pair, link, status)) {
      streams.add(pair, link, now());
      if (isHere(pair)) {
        atHome(pair, Payer.of(status, pair.remote()), home -> home.ready(link));
      } else if (!status.incoming()) {
        link.close(); // the queue has moved to another node, which opens a stream of its own
      }
    }
  }

  private boolean hasPlace(DomainPair pair, ServerStreamLink link, ServerStreamLink.Status status) {
    int most = setup.settings().get().limits().links();
    boolean found = table.opened(pair, link, Payer.of(status, pair.remote()), most);
    if (!found) {
      link.close(StreamErrorCondition.RESOURCE_CONSTRAINT, TOO_MANY);
    }
    return found;
  }

  private boolean isPermitted(DomainPair pair, ServerStreamLink link) {
    boolean permitted = setup.settings().get().permits(pair.remote());
    if (!permitted) {
      link.close(StreamErrorCondition.POLICY_VIOLATION, "this domain is not allowed here");
    }
    return permitted;
  }

  /// Routes a stanza to a domain served here. A stream that exceeds its rates is not read for a
  /// while.
  @Override
  public void received(DomainPair pair, Stanza stanza, long number, ServerStreamLink link) {
    OpenStream stream = streams.of(link);
    if (stream == null) {
      return; // it has been closed
    }
    Jid from = stanza.from();
    Jid to = stanza.to();
    if (from == null || !from.domain().equals(pair.remote())) {
      link.close(StreamErrorCondition.INVALID_FROM, null);
      return;
    }
    if (to == null || !to.domain().equals(pair.local())) {
      link.close(StreamErrorCondition.IMPROPER_ADDRESSING, null);
      return;
    }
    stream.count(pair, stanza, setup.settings().get(), now());
    Tracing tracing = setup.routes().errors().tracing();
    long trace =
        tracing.on()
            ? tracing.received(stanza, 0, new Tracing.Arrival(Place.REMOTE, null, 0, pair.remote()))
            : 0;
    ReceivedFromServer origin = new ReceivedFromServer(stream, number, trace);
    Envelope envelope = new Envelope(stanza, origin, null);
    if (stanza.isError() && stanza instanceof Message message) {
      setup.routes().errors().recordReturned(message);
    }
    try {
      setup.routes().route(envelope);
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("pair", pair).setCause(e).log("remote_stanza_failed");
      setup.routes().errors().reject(envelope, ErrorReplies.errorFor(e));
    } finally {
      origin.release();
    }
  }

  @Override
  public void answered(DomainPair pair, Stanza answer, ServerStreamLink link) {
    OpenStream stream = streams.of(link);
    if (stream != null) {
      stream.count(pair, answer, setup.settings().get(), now());
      setup.routes().route(Envelope.of(answer));
    }
  }

  @Override
  public void acknowledged(DomainPair pair, long number, ServerStreamLink link) {
    atLoaded(pair, home -> home.acknowledged(number, link));
  }

  @Override
  public void interrupted(DomainPair pair, ServerStreamLink link) {
    atLoaded(pair, home -> home.interrupted(link));
  }

  @Override
  public void resumed(DomainPair pair, ServerStreamLink link) {
    atLoaded(pair, home -> home.resumed(link));
  }

  @Override
  public void failed(DomainPair pair, ServerStreamFailure failure) {
    atLoaded(pair, home -> home.failed(failure));
  }

  @Override
  public void ended(DomainPair pair, ServerStreamLink link, ServerStreamFailure failure) {
    streams.remove(pair, link);
    table.closed(pair, link);
    atLoaded(pair, home -> home.ended(link, failure));
  }

  // ---- upkeep

  /// Loads the queues with messages from before the start, returns expired stanzas, closes idle
  /// streams and unloads homes that are not needed. Blocks; to be called every few seconds.
  public void sweep() {
    for (String domain : setup.routes().domains()) {
      restore(domain);
    }
    homes.addresses().forEach(address -> homes.submitIfLoaded(address, Check.INSTANCE));
    homes.sweep();
    streams.sweep(now(), setup.settings().get().idle().toMillis());
  }

  /// Homes have moved to this node: the next sweep loads their queues.
  public void opened() {
    restored.clear();
  }

  /// Unloads homes that move to another node, after the other servers have acknowledged their
  /// stanzas. Stanzas in the log are sent by the next home; the others are routed again. Blocks for
  /// some seconds at most.
  ///
  /// @return how many homes were still busy in the end
  public long unload(Predicate<Jid> leaving, Duration patience) {
    List<Jid> loaded = homes.addresses().stream().filter(leaving).toList();
    atEach(loaded, TIME_TO_ACKNOWLEDGE, (home, done) -> home.leave(done::countDown));
    atEach(
        loaded,
        patience,
        (home, done) -> {
          home.takeUnstored().forEach(this::routeAgain);
          done.countDown();
        });
    long busy = homes.unload(leaving, patience);
    table.leave(leaving);
    return busy;
  }

  private void routeAgain(QueuedStanza queued) {
    setup.routes().route(queued.envelope());
  }

  private void atEach(
      List<Jid> loaded, Duration patience, BiConsumer<DomainPairQueue, CountDownLatch> task) {
    CountDownLatch done = new CountDownLatch(loaded.size());
    for (Jid address : loaded) {
      HomeTask<DomainPairQueue> blocking = HomeTask.blocking(home -> task.accept(home, done));
      if (!homes.submitIfLoaded(address, blocking)) {
        done.countDown();
      }
    }
    try {
      boolean _ = done.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private enum Check implements HomeTask<DomainPairQueue> {
    INSTANCE;

    @Override
    public boolean mayBlock(DomainPairQueue home) {
      return home.mayBlockCheck();
    }

    @Override
    public void run(DomainPairQueue home) {
      home.check();
    }
  }

  private void restore(String domain) {
    if (!restored.add(domain)) {
      return;
    }
    try {
      @Nullable String after = null;
      List<Jid> page;
      do {
        page = setup.queues().list(domain, after, PAGE);
        for (Jid queue : page) {
          after = queue.resource();
          DomainPair pair = new DomainPair(domain, String.valueOf(after));
          if (isHere(pair)) {
            atHome(pair, new Payer.Sender(Jid.of(domain)), home -> chargeRestored(pair, home));
          }
        }
      } while (page.size() == PAGE);
    } catch (StoreException e) {
      restored.remove(domain); // the next sweep tries again
      LoggingEventBuilder event = e.retryable() ? LOG.atWarn() : LOG.atError();
      event.addKeyValue("domain", domain).setCause(e).log("remote_queues_not_loaded");
    }
  }

  private void chargeRestored(DomainPair pair, DomainPairQueue home) {
    Payer payer = home.restored();
    if (payer != null) {
      table.useAnyway(pair, payer);
    }
  }

  /// The status of each pair with a queue or a stream, in no order. Pairs that are busy for longer
  /// than that time are left out, unless they have a stream. Blocks.
  public List<RemoteLinkStatus> links(Duration patience) {
    List<RemoteLinkStatus> links = new ArrayList<>(new StatusQuery(homes).run(patience));
    Set<DomainPair> known =
        links.stream().map(RemoteLinkStatus::pair).collect(Collectors.toUnmodifiableSet());
    streams
        .statusExcept(known)
        .forEach((pair, stream) ->
            links.add(new RemoteLinkStatus(pair, 0, 0, 0, false, 0, null, stream)));
    return List.copyOf(links);
  }

  /// Connects to a domain at once if stanzas wait for it, however long the pause after the last
  /// failure still is. Returns for how many of our domains that is tried.
  public int retryNow(String remote) {
    List<Jid> addresses = table.addresses(remote);
    addresses.forEach(address -> homes.submitIfLoaded(address, DomainPairQueue::reachable));
    return addresses.size();
  }

  /// Applies changed settings: ends the streams with domains that are denied now or may no longer
  /// be proved by dialback, and returns the queues of denied domains to the senders with
  /// `not-allowed`.
  public void enforcePermissions() {
    S2s settings = setup.settings().get();
    table
        .addresses()
        .forEach(address -> homes.submitIfLoaded(address, DomainPairQueue::checkPermission));
    streams.closeUnless((remote, trust) ->
        settings.permits(remote)
            && (!trust.equals(ServerStreamLink.Status.DIALBACK)
                || settings.trustOf(remote) == S2s.Trust.CERTIFICATE_OR_DIALBACK));
  }

  /// How many pairs are loaded.
  public int size() {
    return homes.size();
  }

  /// The bytes of all stanzas that wait or are not acknowledged.
  public long queuedBytes() {
    return budget.taken();
  }

  /// Accepts no more stanzas. Those in the log are sent after the next start.
  public void close() {
    homes.close();
  }

  private long now() {
    return setup.runtime().clock().millis();
  }
}
