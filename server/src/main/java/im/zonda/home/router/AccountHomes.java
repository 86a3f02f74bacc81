package im.zonda.home.router;

import im.zonda.home.HomeKind;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.account.Dispatch;
import im.zonda.home.delivery.InboundStanzas;
import im.zonda.home.lifecycle.Sessions;
import im.zonda.home.recovery.FormerHomes;
import im.zonda.home.recovery.HeldStanzas;
import im.zonda.home.recovery.Recovery;
import im.zonda.home.request.LargeResults;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.route.ErrorReplies;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// The homes of one virtual host's accounts: loaded from the stores, and unloaded when they have no
/// session. A result that is too large is replaced by an error ([LargeResults]).
final class AccountHomes implements HomeKind<AccountHome> {
  /// The pause before an error is routed again.
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Dispatch dispatch;
  private final Stores stores;
  private final Sessions sessions;
  private final InboundStanzas inbound;
  private final FormerHomes formerHomes;
  private final HeldStanzas held;
  private final LargeResults largeResults;

  /// The highest id in the logs of all homes that have been unloaded.
  private final AtomicLong newestUnloaded = new AtomicLong(Long.MIN_VALUE);

  AccountHomes(
      Dispatch dispatch,
      Stores stores,
      Sessions sessions,
      InboundStanzas inbound,
      Recovery recovery,
      LargeResults largeResults) {
    this.dispatch = dispatch;
    this.stores = stores;
    this.sessions = sessions;
    this.inbound = inbound;
    this.formerHomes = recovery.formerHomes();
    this.held = recovery.heldStanzas();
    this.largeResults = largeResults;
  }

  @Override
  public AccountHome load(Jid address) {
    AccountHome home = AccountHome.load(address, dispatch, stores, newestUnloaded.get());
    sessions.loaded(home);
    return home;
  }

  /// An account may be registered at any time: the next task looks again. A guest's home lasts as
  /// long as its session, or as stanzas are held for it.
  @Override
  public boolean isLasting(AccountHome home) {
    return home.isReachable() || !home.heldForRecovery().isEmpty();
  }

  @Override
  public Envelope admit(Jid address, Envelope envelope) {
    return !(envelope.stanza() instanceof Iq iq)
            || iq.type() != Iq.Type.RESULT
            || largeResults.add(address, iq.writtenSize())
        ? envelope
        : envelope.withStanza(tooMuch(iq));
  }

  private static Iq tooMuch(Iq answer) {
    return Iq.of(
        Iq.Type.ERROR,
        answer.from(),
        answer.to(),
        answer.id(),
        StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT).toElement());
  }

  @Override
  public void finished(Envelope envelope) {
    Jid to = envelope.stanza().to();
    if (to != null && envelope.stanza() instanceof Iq iq && iq.type() == Iq.Type.RESULT) {
      largeResults.remove(to.bare(), iq.writtenSize());
    }
  }

  @Override
  public boolean mayBlock(AccountHome home, Envelope envelope) {
    return InboundStanzas.mayBlock(dispatch, envelope.stanza());
  }

  @Override
  public void accept(AccountHome home, Envelope envelope) {
    if (!held.hold(home, envelope)) {
      inbound.accept(home, envelope);
    }
  }

  @Override
  public boolean failed(Envelope envelope, Throwable cause) {
    sessions.registry().stats().failed.increment();
    if (ErrorReplies.isOver(cause)) {
      return false;
    }
    sessions.registry().routes().errors().rejectFailed(envelope, cause);
    if (!ErrorReplies.isUndelivered(envelope, cause)) {
      return true;
    }
    if (cause instanceof StoreException store && store.retryable()) {
      routeAgain(envelope);
    }
    return false;
  }

  /// Routes an error again later, as its receiver's home cannot be loaded now. Its origin stays
  /// held until then.
  private void routeAgain(Envelope error) {
    AccountRegistry registry = sessions.registry();
    registry
        .scheduler()
        .schedule(
            AGAIN,
            () -> {
              registry.routes().route(error);
              error.origin().release();
            });
  }

  @Override
  public boolean canUnload(AccountHome home) {
    return home.sessions().isEmpty()
        && home.heldForRecovery().isEmpty()
        && !formerHomes.isAfterLoss();
  }

  @Override
  public void unloaded(AccountHome home) {
    held.left(home);
    if (!home.sessions().isEmpty()) {
      dispatch.people().decrement();
    }
    newestUnloaded.accumulateAndGet(home.newestId(), Math::max);
    if (home.exists() && home.sessions().isEmpty() && home.waiting().isNone()) {
      stores.messages().noneWaits(home.jid());
    }
  }
}
