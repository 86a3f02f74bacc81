package im.zonda.router;

import im.zonda.cluster.Placement;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.session.Home;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Brings every stanza to the home that decides on it.
///
/// A client's stanza is first taken at the sender's home ([SentStanzas]), then routed: to the home
/// of the receiving account ([Arrivals]), to the virtual host, or back as an error. Any thread may
/// call; nothing here blocks.
public final class StanzaRouter {
  /// Told how a bind ended, by any thread.
  public interface BindCallback {
    /// The session is bound and may receive from now on.
    void bound(LocalSession session);

    /// It is not bound.
    void refused(ErrorCondition condition);
  }

  private final Placement placement;
  private final Homes homes;
  private final Binding binding;
  private final SentStanzas sent;
  private final Arrivals arrivals;
  private final RouterStats stats = new RouterStats();
  private volatile Map<String, Dispatch> hosts = Map.of();

  /// A router that knows no host yet.
  ///
  /// @param workers runs what may block, each task on a thread of its own
  public StanzaRouter(
      ServerConfig config, Stores stores, Placement placement, IdSource ids, Executor workers) {
    this.placement = placement;
    this.homes = new Homes(stores, workers, config.limits());
    CatchUp catchUp = new CatchUp(this, stores.messages());
    MessageDelivery delivery = new MessageDelivery(this, stores.messages(), config);
    this.binding = new Binding(ids, config.limits(), catchUp);
    this.sent = new SentStanzas(this, delivery, catchUp);
    this.arrivals = new Arrivals(this, delivery);
  }

  /// Opens the router for these hosts.
  public void open(Collection<Dispatch> dispatches) {
    hosts =
        dispatches.stream()
            .collect(Collectors.toUnmodifiableMap(d -> d.domain().domain(), Function.identity()));
  }

  /// What the router counted.
  public RouterStats stats() {
    return stats;
  }

  /// Lets go of homes that nothing needs; to be called every few seconds.
  public void sweep() {
    homes.sweep();
  }

  /// Binds a resource of an authenticated account (RFC 6120, section 7). Returns at once.
  ///
  /// @param resource the resource that the client asks for, or null to have one made
  public void bind(
      Jid account, @Nullable String resource, Outbound outbound, BindCallback callback) {
    Dispatch host = hosts.get(account.domain());
    if (host == null) {
      callback.refused(ErrorCondition.ITEM_NOT_FOUND);
      return;
    }
    homes.submit(account, host, true, outbound, binding.task(resource, outbound, callback));
  }

  /// Takes a stanza from a client. Stamps `from`; a `from` that is not the client's own is the
  /// stream's matter and refused there before.
  public void fromClient(LocalSession session, Stanza stanza) {
    Jid account = session.jid().bare();
    Dispatch host = hosts.get(account.domain());
    if (host == null) {
      return;
    }
    Stanza stamped = stanza.withAddresses(session.jid(), stanza.to());
    submit(
        account,
        host,
        SentStanzas.mayBlock(stamped, account, hosts),
        session.outbound(),
        stamped,
        home -> sent.take(home, session, stamped));
  }

  /// The stream of a bound session has ended. Must be called exactly once.
  public void ended(LocalSession session) {
    Jid account = session.jid().bare();
    Dispatch host = hosts.get(account.domain());
    if (host != null) {
      homes.submit(account, host, false, null, home -> binding.end(home, session));
    }
  }

  /// Routes a stanza with `from` and `to` to where it is decided on.
  public void route(Stanza stanza) {
    route(stanza, null);
  }

  /// The same; `origin` stops reading from its client while too much waits at the receiver's home.
  void route(Stanza stanza, @Nullable Outbound origin) {
    Jid to = stanza.to();
    if (to == null) {
      throw new IllegalArgumentException("a stanza without an addressee cannot be routed");
    }
    Dispatch host = hosts.get(to.domain());
    if (host == null) {
      refuse(stanza, StanzaError.of(ErrorCondition.REMOTE_SERVER_NOT_FOUND));
    } else if (to.local() == null || !placement.isHere(to.bare())) {
      toHost(stanza);
    } else {
      boolean mayBlock = Arrivals.mayBlock(stanza);
      submit(
          to.bare(), host, mayBlock, origin, stanza, home -> arrivals.take(home, stanza, origin));
    }
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
      homes.submit(account.bare(), host, true, null, binding::forget);
    }
  }

  /// Runs `task` at an account's home.
  void submit(Jid account, boolean mayBlock, HomeTask task) {
    Dispatch host = hosts.get(account.domain());
    if (host != null) {
      homes.submit(account, host, mayBlock, null, task);
    }
  }

  /// Answers the sender of `stanza` with an error; errors and answers are never answered.
  void refuse(Stanza stanza, StanzaError error) {
    if (stanza.isError() || stanza.from() == null) {
      return;
    }
    stats.refused.increment();
    switch (stanza) {
      case Message message -> route(Message.error(message, error));
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

  /// What the modules of that host have declared, or null if it is not ours.
  @Nullable Dispatch host(Jid jid) {
    return hosts.get(jid.domain());
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
      @Nullable Outbound origin,
      Stanza stanza,
      Consumer<AccountHome> action) {
    homes.submit(
        account,
        host,
        mayBlock,
        origin,
        new HomeTask() {
          @Override
          public void run(AccountHome home) {
            action.accept(home);
          }

          @Override
          public void failed(Throwable cause) {
            stats.failed.increment();
            refuse(stanza, errorFor(cause));
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
