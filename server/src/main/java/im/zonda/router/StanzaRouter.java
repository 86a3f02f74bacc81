package im.zonda.router;

import im.zonda.cluster.Placement;
import im.zonda.config.HeapShare;
import im.zonda.config.Limits;
import im.zonda.config.ServerConfig;
import im.zonda.home.HomeTask;
import im.zonda.home.Homes;
import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.IdSource;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.module.Scheduler;
import im.zonda.module.ServiceHomes;
import im.zonda.route.DomainRequests;
import im.zonda.route.ErrorReplies;
import im.zonda.route.Routes;
import im.zonda.session.Home;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.store.MessageLog.Receipt;
import im.zonda.store.Stores;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Puts routing and sessions together: the routes to virtual hosts and services, and what is done
/// at the homes of accounts.
///
/// A client's stanza is first handled at the sender's home ([OutboundStanzas]); [Routes] then bring
/// it to the receiver's ([InboundStanzas]). Any thread may call; nothing here blocks.
public final class StanzaRouter implements SessionGate {
  private final Routes routes = new Routes();
  private final RouterStats stats = new RouterStats(routes.errors()::count);
  private final Map<Jid, HostAccounts> hosts = new ConcurrentHashMap<>();
  private final Queue<ServiceDestination<?>> services = new ConcurrentLinkedQueue<>();
  private final Stores stores;
  private final Homes.Setup homes;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final Resumption resumption;
  private final SessionBinding binding;
  private final CatchUp catchUp;
  private final SessionSaving saving;
  private final OutboundStanzas outboundStanzas;
  private final InboundStanzas inbound;
  private final IqRequests requests;
  private final DomainRequests domainRequests;
  private final LargeResults largeResults;
  private final AckOnCommit ackOnCommit;

  /// A router that knows no host yet.
  ///
  /// @param workers runs what may block, each task on a thread of its own
  /// @param scheduler ends sessions that no other stream has resumed, and delays
  public StanzaRouter(
      ServerConfig config,
      Stores stores,
      Placement placement,
      IdSource ids,
      InstantSource clock,
      Scheduler scheduler,
      Executor workers) {
    Limits limits = config.limits();
    ErrorReplies errors = routes.errors();
    this.stores = stores;
    this.clock = clock;
    this.scheduler = scheduler;
    this.homes =
        new Homes.Setup(
            placement,
            envelope -> errors.reject(envelope, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE)),
            workers,
            limits.mailboxTasks(),
            limits.homes());
    this.requests = new IqRequests(routes);
    this.domainRequests = new DomainRequests(workers, errors);
    this.catchUp = new CatchUp(this, stores.messages(), limits);
    this.ackOnCommit = new AckOnCommit(errors, stores.messages(), config.storage().durable());
    MessageDelivery delivery = new MessageDelivery(this, stores.messages(), ackOnCommit, config);
    long heap = Runtime.getRuntime().maxMemory();
    Budget budget = new Budget(limits, heap);
    this.resumption = new Resumption(this, ids, clock, scheduler, limits.resumeTime(), budget);
    this.binding = new SessionBinding(ids, limits, catchUp, resumption, this);
    this.saving = new SessionSaving(this, resumption, stores.messages(), catchUp);
    this.outboundStanzas = new OutboundStanzas(routes, stats, requests, delivery, catchUp);
    this.inbound = new InboundStanzas(errors, requests, delivery);
    this.largeResults = new LargeResults(HeapShare.ANSWERS.bound(Long.MAX_VALUE, heap));
    budget.whenExceeded(new SharedBound(budget, this, binding, workers, clock)::exceeded);
  }

  /// Adds the routes to these hosts.
  ///
  /// @throws IllegalStateException if a service answers for the domain of one
  public void open(Collection<Dispatch> dispatches) {
    for (Dispatch dispatch : dispatches) {
      Homes<AccountHome> accounts =
          new Homes<>(
              new AccountHomes(dispatch, stores, inbound, largeResults, routes.errors(), stats),
              homes);
      HostAccounts host =
          new HostAccounts(dispatch, accounts, requests, domainRequests, routes.errors());
      routes.add(dispatch.domain(), host);
      hosts.put(dispatch.domain(), host);
    }
  }

  /// Has `service` answer for its domain from now on.
  ///
  /// @throws IllegalStateException if the domain has a route
  public <T> ServiceHomes<T> serve(DomainService<T> service) {
    ServiceDestination<T> destination =
        new ServiceDestination<>(
            service, routes, domainRequests, stats, kind -> new Homes<>(kind, homes));
    routes.add(service.domain(), destination);
    services.add(destination);
    return destination;
  }

  /// Where stanzas go.
  public Routes routes() {
    return routes;
  }

  /// What the router counted.
  public RouterStats stats() {
    return stats;
  }

  /// Unloads homes that are not needed; to be called every few seconds.
  public void sweep() {
    hosts.values().forEach(host -> host.homes().sweep());
    services.removeIf(service -> !service.sweep());
  }

  private @Nullable HostAccounts hostOf(Jid account) {
    return routes.to(account) instanceof HostAccounts host ? host : null;
  }

  @Override
  public void bind(Jid account, @Nullable String resource, Outbound outbound, Binding callback) {
    HostAccounts host = hostOf(account);
    if (host == null) {
      callback.refused(ErrorCondition.ITEM_NOT_FOUND);
      return;
    }
    host.homes()
        .submit(account, HomeTask.blocking(binding.task(resource, outbound, callback)), outbound);
  }

  /// Accepts a stanza from a client and stamps its `from`; the stream has rejected any `from` that
  /// is not the client's own. `origin` is held once and released when the stanza has been handled.
  void fromClient(LocalSession session, Stanza stanza, Origin origin) {
    Jid account = session.jid().bare();
    HostAccounts host = hostOf(account);
    if (host == null) {
      origin.release();
      return;
    }
    Stanza stamped = stanza.withAddresses(session.jid(), stanza.to());
    Envelope envelope = new Envelope(stamped, origin, null, clock.millis(), 0);
    host.homes().submit(account, outboundStanzas.task(session, envelope), origin.flow());
  }

  @Override
  public void resume(Jid account, String id, long h, Outbound outbound, Consumer<Resumed> then) {
    HostAccounts host = hostOf(account);
    if (host == null) {
      then.accept(new Resumed.NotFound(null));
      return;
    }
    host.homes()
        .submit(
            account,
            new HomeTask<>() {
              @Override
              public void run(AccountHome home) {
                resumption.resume(home, id, h, outbound, then);
              }

              @Override
              public void failed(Throwable cause) {
                then.accept(new Resumed.NotFound(null));
              }
            },
            outbound);
  }

  /// The stream of `stream` is gone without an end; the session may go on without. At the home, as
  /// all that changes a session's stream is: what another stream has begun to do is not undone.
  void lost(LocalSession session, Outbound stream) {
    submit(session.jid().bare(), false, home -> binding.lost(home, session, stream));
  }

  /// The session's time without a stream is over, unless another stream has come.
  ///
  /// @param notResumed whether it has not been resumed since
  void expire(LocalSession session, BooleanSupplier notResumed) {
    submit(
        session.jid().bare(),
        false,
        home -> {
          // A stream that is about to resume it keeps it.
          if (session.outgoing().owner() == null && notResumed.getAsBoolean()) {
            stats.expired.increment();
            binding.end(home, session);
          }
        });
  }

  /// The sessions that can be resumed, to be restored when the server has started again. The
  /// network must have been stopped. Blocks.
  public List<SavedSession> save() {
    return saving.save();
  }

  /// Restores sessions that were saved; the network must not have been started.
  public void restore(List<SavedSession> sessions) {
    saving.restore(sessions);
  }

  /// The session's client has had time to become available.
  void begun(LocalSession session) {
    submit(
        session.jid().bare(),
        false,
        home -> {
          if (session.isFresh() && home.sessions().contains(session)) {
            catchUp.begun(home, session);
          }
        });
  }

  /// There is no room for what is sent to a session: it ends. What the log keeps for it waits
  /// there.
  void noRoom(LocalSession session) {
    submit(session.jid().bare(), false, home -> binding.noRoom(home, session));
  }

  /// A session has not taken a stanza, because it is over or about to end: who asked must not wait
  /// for ever.
  void notTaken(Stanza stanza) {
    if (stanza instanceof Iq iq) {
      refuse(iq, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
    }
  }

  /// Bytes that clients have been sent and have not acknowledged, all sessions together.
  public long unacknowledgedBytes() {
    return resumption.unacknowledgedBytes();
  }

  /// What stream management needs.
  Resumption resumption() {
    return resumption;
  }

  /// The session is over, if `stream` is still its stream.
  void ended(LocalSession session, @Nullable Outbound stream) {
    submit(
        session.jid().bare(),
        false,
        home -> {
          if (Objects.equals(stream, session.outgoing().owner())) {
            binding.end(home, session);
          }
        });
  }

  /// Keeps the stanza of `origin` from being handled until the log entry of `receipt` is durable;
  /// while too much waits for the log, its sender's stream is not read.
  public void awaitCommit(Receipt receipt, Message message, Origin origin) {
    ackOnCommit.await(receipt, message, origin);
    ackOnCommit.slowDown(origin);
  }

  /// Does not read from the sender's stream for that time.
  public void slowDown(Origin origin, Duration time) {
    InboundFlow sender = origin.flow();
    if (sender != null) {
      sender.pauseReading();
      scheduler.schedule(time, sender::resumeReading);
    }
  }

  /// Runs `task` at the home of a local account; it may block.
  public void atHome(Jid account, Consumer<Home> task) {
    HostAccounts host = hostOf(account);
    if (host == null) {
      throw new IllegalArgumentException("no host for " + account);
    }
    host.homes().submit(account.bare(), HomeTask.blocking(task::accept), null);
  }

  /// Ends the sessions of an account that was removed, and forgets what was loaded of it.
  public void forget(Jid account) {
    submit(account.bare(), true, binding::forget);
  }

  /// Runs `task` for a stanza at the home that it has come to, behind what waits there, where it
  /// may block.
  void submitAgain(AccountHome home, Envelope envelope, Consumer<AccountHome> task) {
    Origin origin = envelope.origin();
    origin.hold();
    submit(
        home.jid(),
        true,
        new HomeTask<>() {
          @Override
          public void run(AccountHome later) {
            task.accept(later);
            origin.release();
          }

          @Override
          public void failed(Throwable cause) {
            stats.failed.increment();
            try {
              routes.errors().reject(envelope, ErrorReplies.errorFor(cause));
            } finally {
              origin.release();
            }
          }
        });
  }

  /// Runs `task` at an account's home.
  void submit(Jid account, boolean mayBlock, HomeTask<AccountHome> task) {
    HostAccounts host = hostOf(account);
    if (host != null) {
      host.homes().submit(account, mayBlock ? HomeTask.blocking(task) : task, null);
    }
  }

  /// Answers the sender of a stanza with an error.
  void refuse(Stanza stanza, StanzaError error) {
    routes.errors().reject(stanza, error);
  }

  /// What the modules of that host have declared, or null if the domain is no virtual host.
  @Nullable Dispatch host(Jid jid) {
    HostAccounts host = hostOf(jid);
    return host == null ? null : host.dispatch();
  }
}
