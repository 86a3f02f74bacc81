package im.zonda.home.service;

import im.zonda.cluster.replica.Replication;
import im.zonda.home.HomeKind;
import im.zonda.home.HomeTask;
import im.zonda.home.Homes;
import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.ServiceHomes;
import im.zonda.route.Destination;
import im.zonda.route.DomainRequests;
import im.zonda.route.ErrorReplies;
import im.zonda.route.RouterStats;
import im.zonda.route.Routes;
import im.zonda.route.Tracing;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StoreException;
import im.zonda.trace.Verdict;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A module's own service as a destination: the homes of the addresses under its domain, and the
/// domain itself.
///
/// @param <T> what lives at an address
public final class ServiceDestination<T> implements Destination, ServiceHomes<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceDestination.class);

  private final DomainService<T> service;
  private final Routes routes;
  private final DomainRequests domainRequests;
  private final RouterStats stats;
  private final Replication replication;
  private final boolean copies;
  private final Homes<T> homes;

  private final ArrivingStates arriving = new ArrivingStates();

  /// The homes that have states there and may not be here yet.
  private final Queue<Jid> toOpen = new ConcurrentLinkedQueue<>();

  /// @param replication has the homes' state copied
  /// @param homes makes the homes of a kind
  public ServiceDestination(
      DomainService<T> service,
      Routes routes,
      DomainRequests domainRequests,
      RouterStats stats,
      Replication replication,
      Function<HomeKind<T>, Homes<T>> homes) {
    this.service = service;
    this.routes = routes;
    this.domainRequests = domainRequests;
    this.stats = stats;
    this.replication = replication;
    this.copies = replication.copies();
    this.homes = homes.apply(new Kind());
  }

  private final class Kind implements HomeKind<T> {
    @Override
    public T load(Jid address) {
      return service.load(address);
    }

    @Override
    public boolean mayBlock(T home, Envelope envelope) {
      return service.mayBlock(home, envelope.stanza())
          || (!arriving.isEmpty() && arriving.contains(homeOf(envelope.stanza())));
    }

    @Override
    public void accept(T home, Envelope envelope) {
      note(envelope, Place.ROOM, Verdict.RECEIVED);
      Jid address = copies || !arriving.isEmpty() ? homeOf(envelope.stanza()) : null;
      if (address == null) {
        service.accept(home, envelope);
      } else {
        run(address, home, () -> service.accept(home, envelope));
      }
    }

    @Override
    public boolean failed(Envelope envelope, Throwable cause) {
      stats.failed.increment();
      if (ErrorReplies.isOver(cause)) {
        return false;
      }
      routes
          .errors()
          .rejectDirected(
              envelope, ErrorReplies.errorFor(cause), Place.ROOM, Reason.SERVER_FAILURE, null);
      return !ErrorReplies.isUndelivered(envelope, cause);
    }

    @Override
    public boolean canUnload(T home) {
      return service.canUnload(home);
    }

    @Override
    public void unloaded(T home) {
      service.unloaded(home);
    }
  }

  /// Runs what is next for a home, which is given its state before and is copied after.
  private void run(Jid address, T home, Runnable action) {
    restore(address, home);
    action.run();
    if (copies) {
      service.copyChanges(home, false, (key, state) -> replication.copy(address, key, state));
    }
  }

  @Override
  public void accept(Envelope envelope) {
    Stanza stanza = envelope.stanza();
    Jid home = homeOf(stanza);
    if (home != null) {
      if (!homes.isHere(home)) {
        note(envelope, Place.NODE, Verdict.FORWARDED);
      }
      if (!homes.accept(home, envelope)) {
        StanzaError error = StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE);
        routes.errors().rejectDirected(envelope, error);
      }
      return;
    }
    Jid from = stanza.from();
    if (stanza instanceof Iq iq && iq.isRequest() && from != null) {
      domainRequests.run(
          envelope, DomainRequests.payer(from), () -> service.acceptForDomain(stanza));
    } else {
      acceptForDomain(stanza);
    }
  }

  private void note(Envelope envelope, Place place, Verdict verdict) {
    Tracing tracing = routes.errors().tracing();
    if (tracing.on()) {
      tracing.step(envelope, place, verdict, null);
    }
  }

  /// The bare address of the home that handles a stanza; null if the service itself does.
  public @Nullable Jid homeOf(Stanza stanza) {
    Jid to = stanza.to();
    return to != null && to.local() != null ? to.bare() : service.homeOf(stanza);
  }

  /// Handles a stanza to the domain itself. Requests may block.
  public void acceptForDomain(Stanza stanza) {
    try {
      service.acceptForDomain(stanza);
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("service", service.domain()).setCause(e).log("service_task_failed");
      stats.failed.increment();
      routes.errors().reject(stanza, ErrorReplies.errorFor(e));
    }
  }

  @Override
  public void submit(Jid address, boolean mayBlock, Consumer<T> task) {
    if (!homes.submit(address, task(address, mayBlock, task), null) && homes.isHere(address)) {
      throw new IllegalStateException(service.domain() + " has been withdrawn");
    }
  }

  @Override
  public boolean submitIfLoaded(Jid address, boolean mayBlock, Consumer<T> task) {
    return homes.submitIfLoaded(address, task(address, mayBlock, task));
  }

  private HomeTask<T> task(Jid address, boolean mayBlock, Consumer<T> task) {
    HomeTask<T> plain = home -> run(address, home, () -> task.accept(home));
    return mayBlock || arriving.contains(address) ? HomeTask.blocking(plain) : plain;
  }

  @Override
  public boolean isHere(Jid address) {
    return homes.isHere(address);
  }

  @Override
  public List<Jid> addresses() {
    return homes.addresses();
  }

  /// How many homes are loaded.
  public int size() {
    return homes.size();
  }

  /// Unloads homes that are on another node from now on. Blocks.
  ///
  /// @param moving given the state that moves with each, on any thread
  /// @return how many were still busy in the end
  public long unload(
      Predicate<Jid> leaving, BiConsumer<Jid, Map<String, byte[]>> moving, Duration patience) {
    Set<Jid> moved = new HashSet<>();
    for (Jid address : arriving.homes()) {
      Map<String, byte[]> state = leaving.test(address) ? arriving.take(address) : null;
      if (state != null) {
        moved.add(address);
        moving.accept(address, state);
      }
    }
    List<Jid> loaded = homes.addresses().stream().filter(leaving).toList();
    CountDownLatch waiting = new CountDownLatch(loaded.size());
    for (Jid address : loaded) {
      BiConsumer<Jid, Map<String, byte[]>> to = moved.contains(address) ? (_, _) -> {} : moving;
      if (!homes.submitIfLoaded(address, new Leaving(address, to, waiting))) {
        waiting.countDown();
      }
    }
    try {
      boolean _ = waiting.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return homes.unload(leaving, patience);
  }

  private final class Leaving implements HomeTask<T> {
    private final Jid address;
    private final BiConsumer<Jid, Map<String, byte[]>> moving;
    private final CountDownLatch done;

    Leaving(Jid address, BiConsumer<Jid, Map<String, byte[]>> moving, CountDownLatch done) {
      this.address = address;
      this.moving = moving;
      this.done = done;
    }

    @Override
    public void run(T home) {
      // A home that has not got its state, or not all of it, passes it on as it came.
      Map<String, byte[]> waiting = arriving.take(address);
      Map<String, byte[]> state = waiting == null ? service.leaving(home) : waiting;
      if (!state.isEmpty()) {
        moving.accept(address, state);
      }
      done.countDown();
    }

    @Override
    public void failed(Throwable cause) {
      done.countDown(); // reported by the mailbox
    }
  }

  /// Keeps the state that a home had on another node until it is here, and loaded. Returns at once.
  /// If the home cannot be loaded then, or the database fails, the state waits until it can.
  public void arrived(Jid address, Map<String, byte[]> state) {
    await(address, state);
    toOpen.add(address);
  }

  /// The homes whose states have [#arrived] are here. Returns at once.
  public void opened() {
    for (Jid address = toOpen.poll(); address != null; address = toOpen.poll()) {
      load(address);
    }
  }

  private void load(Jid address) {
    if (!homes.submit(address, HomeTask.blocking(new Arriving(address)), null)) {
      Map<String, byte[]> left = arriving.take(address);
      if (left != null) {
        forgetCopies(address, left.keySet());
      }
    }
  }

  private void await(Jid address, Map<String, byte[]> state) {
    for (ArrivingStates.State discarded : arriving.add(address, state)) {
      LOG.atError()
          .addKeyValue("home", discarded.home())
          .addKeyValue("bytes", discarded.bytes())
          .addKeyValue("reason", "too much waits for the database")
          .log("state_not_restored");
      forgetCopies(discarded.home(), discarded.parts().keySet());
    }
  }

  private void forgetCopies(Jid address, Set<String> keys) {
    keys.forEach(key -> replication.copy(address, key, null));
  }

  /// Gives a home the state that it had on another node, unless it has it. Replication of parts
  /// that the home does not accept ends.
  ///
  /// @throws StoreException if the database fails; the state waits then
  private void restore(Jid address, T home) {
    Map<String, byte[]> state = arriving.take(address);
    if (state == null) {
      return;
    }
    try {
      service.arrived(home, state);
    } catch (StoreException e) {
      await(address, state);
      throw e;
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("home", address).setCause(e).log("state_not_restored");
      forgetCopies(address, state.keySet());
      return;
    }
    Set<String> rest = new HashSet<>(state.keySet());
    service.copyChanges(
        home,
        true,
        (key, part) -> {
          rest.remove(key);
          replication.copy(address, key, part);
        });
    forgetCopies(address, rest);
  }

  /// Restores the state of a home. If that fails, whatever is next for it tries again.
  private final class Arriving implements HomeTask<T> {
    private final Jid address;

    Arriving(Jid address) {
      this.address = address;
    }

    @Override
    public void run(T home) {
      restore(address, home);
    }

    @Override
    public void failed(Throwable cause) {
      LOG.atWarn().addKeyValue("home", address).setCause(cause).log("state_not_restored_yet");
    }
  }

  /// Unloads homes that are not needed. False if the service has been withdrawn and nothing of it
  /// is left.
  public boolean sweep() {
    for (Jid address : arriving.homes()) {
      boolean _ = homes.submit(address, HomeTask.blocking(new Arriving(address)), null);
    }
    homes.sweep();
    return homes.size() > 0 || routes.to(service.domain()) == this;
  }

  @Override
  public void withdraw() {
    routes.remove(service.domain(), this);
    homes.close();
  }
}
