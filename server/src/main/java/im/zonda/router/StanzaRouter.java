package im.zonda.router;

import im.zonda.cluster.Placement;
import im.zonda.config.HeapShare;
import im.zonda.config.Limits;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.Custody;
import im.zonda.module.DomainService;
import im.zonda.module.IdSource;
import im.zonda.module.IqFilter;
import im.zonda.module.MessageFilter;
import im.zonda.module.Places;
import im.zonda.module.Scheduler;
import im.zonda.module.Verdict;
import im.zonda.session.Home;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Brings every stanza to the home that decides on it.
///
/// A client's stanza is first taken at the sender's home ([SentStanzas]), then routed: to the home
/// of the receiving account ([Arrivals]), to the virtual host, or back as an error. Any thread may
/// call; nothing here blocks.
public final class StanzaRouter {
  private final Placement placement;
  private final Homes homes;
  private final Sessions sessions;
  private final Arrivals arrivals;
  private final Answers answers;
  private final RouterStats stats = new RouterStats();
  private final Map<String, ServiceHomes<?>> services = new ConcurrentHashMap<>();
  private final Commits commits;
  private final Executor workers;
  private final Scheduler scheduler;
  private final Limits limits;
  private volatile Map<String, Dispatch> hosts = Map.of();

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
    this.placement = placement;
    this.homes = new Homes(stores, workers, config.limits());
    this.workers = workers;
    this.scheduler = scheduler;
    this.limits = config.limits();
    this.commits = new Commits(this, stores.messages(), config.storage().durable());
    MessageDelivery delivery = new MessageDelivery(this, stores.messages(), commits, config);
    CatchUp catchUp = new CatchUp(this, stores.messages(), config.limits());
    this.sessions =
        new Sessions(
            this,
            new Sessions.Surroundings(
                config.limits(), stores.messages(), ids, clock, scheduler, workers),
            new SentStanzas(this, delivery, catchUp),
            catchUp);
    this.arrivals = new Arrivals(this, delivery);
    long heap = Runtime.getRuntime().maxMemory();
    this.answers =
        new Answers(homes, arrivals, stats, HeapShare.ANSWERS.bound(Long.MAX_VALUE, heap));
  }

  /// Opens the router for these hosts.
  public void open(Collection<Dispatch> dispatches) {
    hosts =
        dispatches.stream()
            .collect(Collectors.toUnmodifiableMap(d -> d.domain().domain(), Function.identity()));
  }

  /// Has `service` answer for its domain.
  ///
  /// @throws IllegalStateException if another service does
  public <T> Places<T> serve(DomainService<T> service) {
    ServiceHomes<T> homes = new ServiceHomes<>(service, this, commits, workers, scheduler, limits);
    if (services.putIfAbsent(service.domain().domain(), homes) != null) {
      throw new IllegalStateException("two services at " + service.domain());
    }
    return homes;
  }

  /// What the router counted.
  public RouterStats stats() {
    return stats;
  }

  /// Lets go of homes that nothing needs; to be called every few seconds.
  public void sweep() {
    homes.sweep();
    services.values().forEach(ServiceHomes::sweep);
  }

  /// The sessions, and the gate for streams.
  public Sessions sessions() {
    return sessions;
  }

  /// Routes a stanza with `from` and `to` to where it is decided on.
  public void route(Stanza stanza) {
    route(stanza, null);
  }

  /// The same; `origin` waits for the end of it.
  void route(Stanza stanza, @Nullable Origin origin) {
    Jid to = stanza.to();
    if (to == null) {
      throw new IllegalArgumentException("a stanza without an addressee cannot be routed");
    }
    Dispatch host = hosts.get(to.domain());
    if (host == null) {
      toService(to, stanza, origin);
    } else if (to.local() == null || !placement.isHere(to.bare())) {
      toHost(stanza);
    } else if (stanza instanceof Iq iq && iq.type() == Iq.Type.RESULT) {
      answers.route(iq, to.bare(), host, origin);
    } else {
      boolean mayBlock = Arrivals.mayBlock(stanza);
      if (origin != null) {
        origin.begin();
      }
      submit(
          to.bare(), host, mayBlock, origin, stanza, home -> arrivals.take(home, stanza, origin));
    }
  }

  /// Routes a message that `author` wrote, though its `from` does not say so, unless its receiver
  /// refuses what comes from `author` or from that `from`; then `refused` runs.
  public void route(Message message, Jid author, Custody custody, Runnable refused) {
    Message asAuthor = message.withAddresses(author, message.to());
    routeUnless(
        message,
        home -> {
          for (MessageFilter filter : home.dispatch().messagesRefusing()) {
            if (!(filter.filter(asAuthor, home, null) instanceof Verdict.Pass)
                || !(filter.filter(message, home, null) instanceof Verdict.Pass)) {
              return true;
            }
          }
          return false;
        },
        refused,
        ServiceHomes.originOf(custody));
  }

  /// The same for a request.
  public void route(Iq request, Jid author, Runnable refused) {
    Iq asAuthor = request.withAddresses(author, request.to());
    routeUnless(
        request,
        home -> {
          for (IqFilter filter : home.dispatch().iqsRefusing()) {
            if (!(filter.filter(asAuthor, home, null) instanceof Verdict.Pass)
                || !(filter.filter(request, home, null) instanceof Verdict.Pass)) {
              return true;
            }
          }
          return false;
        },
        refused,
        null);
  }

  private void routeUnless(
      Stanza stanza, Predicate<AccountHome> isRefused, Runnable refused, @Nullable Origin origin) {
    Jid to = stanza.to();
    Dispatch host = to == null || to.local() == null ? null : hosts.get(to.domain());
    if (to == null || host == null) {
      route(stanza, origin);
      return;
    }
    if (origin != null) {
      origin.begin();
    }
    submit(
        to.bare(),
        host,
        Arrivals.mayBlock(stanza),
        origin,
        stanza,
        home -> {
          if (isRefused.test(home)) {
            refused.run();
          } else {
            arrivals.take(home, stanza, origin);
          }
        });
  }

  /// Runs `task` at the home of a local account; it may block.
  public void atHome(Jid account, Consumer<Home> task) {
    Dispatch host = hosts.get(account.domain());
    if (host == null) {
      throw new IllegalArgumentException("no host for " + account);
    }
    homes.submit(account.bare(), host, true, null, task::accept);
  }

  /// Ends the sessions of an account that is no more, and forgets what was loaded of it.
  public void forget(Jid account) {
    Dispatch host = hosts.get(account.domain());
    if (host != null) {
      homes.submit(account.bare(), host, true, null, sessions::forget);
    }
  }

  /// Runs `task` for a message at the home it has come to once more, behind what waits there, where
  /// it may block. `origin` waits for it.
  void resubmit(
      AccountHome home, Message message, @Nullable Origin origin, Consumer<AccountHome> task) {
    if (origin != null) {
      origin.begin();
    }
    submit(home.jid(), home.dispatch(), true, origin, message, task);
  }

  /// Runs `task` at an account's home; not at all if there is no such host any more.
  void submit(Jid account, boolean mayBlock, HomeTask task) {
    submit(account, mayBlock, null, task);
  }

  /// The same; `origin` is to stop reading while too much waits.
  void submit(Jid account, boolean mayBlock, @Nullable Outbound origin, HomeTask task) {
    Dispatch host = hosts.get(account.domain());
    if (host != null) {
      homes.submit(account, host, mayBlock, origin, task);
    }
  }

  /// Runs `task`, which cannot block, at an account's home, for a thread that has other things to
  /// do than the tasks that wait there.
  void submitAlone(Jid account, HomeTask task) {
    Dispatch host = hosts.get(account.domain());
    if (host != null) {
      homes.submitAlone(account, host, task);
    }
  }

  /// Answers the sender of `stanza` with an error; errors and answers are never answered.
  void refuse(Stanza stanza, StanzaError error) {
    refuse(stanza, error, null);
  }

  /// The same; `origin` waits until the error has come to the sender's home.
  private void refuse(Stanza stanza, StanzaError error, @Nullable Origin origin) {
    if (stanza.isError() || stanza.from() == null) {
      return;
    }
    stats.refused.increment();
    switch (stanza) {
      case Message message -> route(Message.error(message, error), origin);
      case Presence presence -> {
        // Only those who wait for an answer get one: a broadcast must not come back as errors.
        if (presence.type() == Presence.Type.SUBSCRIBE) {
          route(Presence.error(presence, error));
        }
      }
      case Iq iq -> {
        if (iq.isRequest()) {
          route(Iq.error(iq, error));
        }
      }
    }
  }

  /// The same, presence of every type included: for where the stanza is no broadcast.
  void refuseAny(Stanza stanza, StanzaError error) {
    if (stanza instanceof Presence presence && !presence.isError() && presence.from() != null) {
      stats.refused.increment();
      route(Presence.error(presence, error));
    } else {
      refuse(stanza, error);
    }
  }

  /// What the modules of that host have declared, or null if it is not ours.
  @Nullable Dispatch host(Jid jid) {
    return hosts.get(jid.domain());
  }

  private void toService(Jid to, Stanza stanza, @Nullable Origin origin) {
    ServiceHomes<?> service = services.get(to.domain());
    if (service != null) {
      service.route(stanza, origin);
    } else {
      refuse(stanza, StanzaError.of(ErrorCondition.REMOTE_SERVER_NOT_FOUND));
    }
  }

  /// Whether the domain is answered for here.
  boolean isOurs(Jid domain) {
    return hosts.containsKey(domain.domain()) || services.containsKey(domain.domain());
  }

  private void toHost(Stanza stanza) {
    boolean expectsAnswer =
        stanza instanceof Iq
            || (stanza instanceof Message message && message.type() != Message.Type.HEADLINE);
    if (expectsAnswer) {
      refuse(stanza, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
    }
  }

  private void submit(
      Jid account,
      Dispatch host,
      boolean mayBlock,
      @Nullable Origin origin,
      Stanza stanza,
      Consumer<AccountHome> action) {
    homes.submit(
        account,
        host,
        mayBlock,
        origin == null ? null : origin.outbound(),
        new HomeTask() {
          @Override
          public void run(AccountHome home) {
            action.accept(home);
            end();
          }

          @Override
          public void failed(Throwable cause) {
            stats.failed.increment();
            if (stanza.isError() && cause instanceof StoreException) {
              // The home of a client that has gone cannot be loaded. If the client comes back it
              // must not learn that its message has been handled: it has not got the error.
              return;
            }
            try {
              refuse(stanza, errorFor(cause), origin);
            } finally {
              end();
            }
          }

          private void end() {
            if (origin != null) {
              origin.end();
            }
          }
        });
  }

  /// What the peer is told of a failure: the condition and no more.
  static StanzaError errorFor(Throwable cause) {
    boolean passing = cause instanceof StoreException store && store.retryable();
    return StanzaError.of(
        passing ? ErrorCondition.RESOURCE_CONSTRAINT : ErrorCondition.INTERNAL_SERVER_ERROR);
  }
}
