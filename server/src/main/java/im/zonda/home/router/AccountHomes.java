package im.zonda.home.router;

import im.zonda.home.HomeKind;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.Dispatch;
import im.zonda.home.delivery.InboundStanzas;
import im.zonda.home.lifecycle.SessionsBeingRecovered;
import im.zonda.home.request.LargeResults;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.route.ErrorReplies;
import im.zonda.route.RouterStats;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import java.util.concurrent.atomic.AtomicLong;

/// The homes of one virtual host's accounts: loaded from the stores, and unloaded when they have no
/// session. A result that is too large is replaced by an error ([LargeResults]).
final class AccountHomes implements HomeKind<AccountHome> {
  private final Dispatch dispatch;
  private final Stores stores;
  private final SessionsBeingRecovered inbound;
  private final LargeResults largeResults;
  private final ErrorReplies errors;
  private final RouterStats stats;

  /// The highest id in the logs of all homes that have been unloaded.
  private final AtomicLong newestUnloaded = new AtomicLong(Long.MIN_VALUE);

  AccountHomes(
      Dispatch dispatch,
      Stores stores,
      SessionsBeingRecovered inbound,
      LargeResults largeResults,
      ErrorReplies errors,
      RouterStats stats) {
    this.dispatch = dispatch;
    this.stores = stores;
    this.inbound = inbound;
    this.largeResults = largeResults;
    this.errors = errors;
    this.stats = stats;
  }

  @Override
  public AccountHome load(Jid address) {
    AccountHome home = AccountHome.load(address, dispatch, stores, newestUnloaded.get());
    inbound.loaded(home);
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
    inbound.accept(home, envelope);
  }

  @Override
  public boolean failed(Envelope envelope, Throwable cause) {
    stats.failed.increment();
    if (ErrorReplies.isOver(cause)) {
      return false;
    }
    errors.rejectFailed(envelope, cause);
    if (!ErrorReplies.isUndelivered(envelope, cause)) {
      return true;
    }
    if (cause instanceof StoreException store && store.retryable()) {
      inbound.bringAgain(envelope);
    }
    return false;
  }

  @Override
  public boolean canUnload(AccountHome home) {
    return home.sessions().isEmpty() && home.heldForRecovery().isEmpty() && !inbound.mayCome();
  }

  @Override
  public void unloaded(AccountHome home) {
    inbound.left(home);
    if (!home.sessions().isEmpty()) {
      dispatch.people().decrement();
    }
    newestUnloaded.accumulateAndGet(home.newestId(), Math::max);
    if (home.exists() && home.sessions().isEmpty() && home.waiting().isNone()) {
      stores.messages().noneWaits(home.jid());
    }
  }
}
