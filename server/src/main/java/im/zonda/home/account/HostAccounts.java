package im.zonda.home.account;

import im.zonda.home.Homes;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.Envelope;
import im.zonda.route.Destination;
import im.zonda.route.DomainRequests;
import im.zonda.route.ErrorReplies;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StanzaError;

/// A virtual host as a destination: its accounts, and its domain, which answers requests (RFC 6121,
/// section 8).
final class HostAccounts implements Destination {
  private final Dispatch dispatch;
  private final Homes<AccountHome> homes;
  private final IqRequests requests;
  private final DomainRequests domainRequests;
  private final ErrorReplies errors;

  HostAccounts(
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
  Dispatch dispatch() {
    return dispatch;
  }

  /// The homes of the host's accounts.
  Homes<AccountHome> homes() {
    return homes;
  }

  @Override
  public void accept(Envelope envelope) {
    Jid to = envelope.stanza().to();
    if (to != null && to.local() != null) {
      if (!homes.accept(to.bare(), envelope)) {
        reject(envelope);
      }
      return;
    }
    switch (envelope.stanza()) {
      case Iq iq when iq.isRequest() -> answer(envelope, iq);
      case Iq answer -> {
        // The host itself asks for nothing.
      }
      case Message message -> {
        if (message.type() != Message.Type.HEADLINE) {
          reject(envelope);
        }
      }
      case Presence presence -> {
        // The host itself has no presence.
      }
    }
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
