package im.zonda.home.account;

import im.zonda.home.HomeTask;
import im.zonda.home.Homes;
import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.Addressee;
import im.zonda.module.Envelope;
import im.zonda.module.ExternalComponents;
import im.zonda.route.Destination;
import im.zonda.route.DomainRequests;
import im.zonda.route.ErrorReplies;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.trace.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// A virtual host as a destination: its accounts, and its domain, which answers requests (RFC 6121,
/// section 8).
public final class HostAccounts implements Destination {
  private final Dispatch dispatch;
  private final Homes<AccountHome> homes;
  private final IqRequests requests;
  private final DomainRequests domainRequests;
  private final ErrorReplies errors;

  public HostAccounts(
      Dispatch dispatch,
      Homes<AccountHome> homes,
      IqRequests requests,
      DomainRequests domainRequests,
      ErrorReplies errors) {
    this.dispatch = dispatch;
    this.homes = homes;
    this.requests = requests;
    this.domainRequests = domainRequests;
    this.errors = errors;
  }

  /// What the modules of the host have declared.
  public Dispatch dispatch() {
    return dispatch;
  }

  /// The homes of the host's accounts.
  public Homes<AccountHome> homes() {
    return homes;
  }

  /// Accepts no more stanzas and sessions.
  public void close() {
    dispatch.close();
  }

  /// Runs `task` at each of these homes that is loaded, where it may block, and waits for that.
  ///
  /// @return how many homes have not run it when the time was over
  public long runAtEach(Predicate<Jid> chosen, Consumer<AccountHome> task, Duration patience) {
    List<Jid> loaded = homes.addresses().stream().filter(chosen).toList();
    CountDownLatch waiting = new CountDownLatch(loaded.size());
    for (Jid account : loaded) {
      HomeTask<AccountHome> counted =
          new HomeTask<>() {
            @Override
            public void run(AccountHome home) {
              task.accept(home);
              waiting.countDown();
            }

            @Override
            public void failed(Throwable cause) {
              waiting.countDown(); // reported by the mailbox
            }
          };
      if (!homes.submitIfLoaded(account, HomeTask.blocking(counted))) {
        waiting.countDown();
      }
    }
    try {
      return waiting.await(patience.toNanos(), TimeUnit.NANOSECONDS) ? 0 : waiting.getCount();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return waiting.getCount();
    }
  }

  /// Messages to accounts: their home delivers to several sessions and stores once.
  @Override
  public boolean acceptsForSeveral(Stanza stanza) {
    Jid to = stanza.to();
    return stanza instanceof Message && to != null && to.local() != null;
  }

  @Override
  public boolean canBeOnline(Jid account) {
    return homes.isLoadedOrElsewhere(account);
  }

  @Override
  public void accept(Envelope envelope) {
    if (dispatch.isClosed()) {
      StanzaError error = StanzaError.of(ErrorCondition.REMOTE_SERVER_NOT_FOUND);
      errors.reject(envelope, error, Place.ROUTE, Reason.HOST_REMOVED, null);
      return;
    }
    Jid to = envelope.stanza().to();
    if (to != null && to.local() != null) {
      if (errors.tracing().on() && !homes.isHere(to.bare())) {
        errors.tracing().step(envelope, Place.NODE, Verdict.FORWARDED, null);
      }
      if (!homes.accept(to.bare(), envelope)) {
        reject(envelope);
      }
      return;
    }
    switch (envelope.stanza()) {
      case Iq iq when iq.isRequest() -> answer(envelope, iq);
      case Iq answer -> requests.acceptAnswer(answer);
      case Message message -> accept(envelope, message);
      case Presence presence -> {
        // The host itself has no presence.
        boolean _ = isForExtension(envelope);
      }
    }
  }

  /// Handles a message to the domain.
  private void accept(Envelope envelope, Message message) {
    if (!isForExtension(envelope) && message.type() != Message.Type.HEADLINE) {
      StanzaError error = StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE);
      errors.reject(envelope, error, Place.HOME, Reason.NOT_FOR_HOST, null);
    }
  }

  private boolean isForExtension(Envelope envelope) {
    for (ExternalComponents.Extension extension : dispatch.extensions()) {
      if (extension.accept(envelope)) {
        return true;
      }
    }
    return false;
  }

  /// Answers a request to the domain whose sender has no home here.
  private void answer(Envelope envelope, Iq iq) {
    Jid from = iq.from();
    if (from != null) {
      domainRequests.run(
          envelope,
          DomainRequests.payer(from),
          () -> requests.answer(dispatch, iq, Addressee.SERVER, null, null));
    }
  }

  private void reject(Envelope envelope) {
    errors.reject(envelope, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
  }
}
