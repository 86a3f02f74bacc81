package im.zonda.module.registration;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.UnauthenticatedHandler.Client;
import im.zonda.module.invitations.Invitation;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks the tokens of clients that want to register by invitation (XEP-0445, section 4). The
/// invitation is kept with the client's stream, where it does not expire, and is used by the
/// registration.
final class PreAuthentication {
  private static final Logger LOG = LoggerFactory.getLogger(PreAuthentication.class);

  /// Tokens that are not valid, of one address in an hour. [AddressBudget#ATTEMPTS] times as many
  /// are checked at all.
  static final int WRONG_TOKENS = 10;

  /// The text for a token that is not valid.
  static final String NO_INVITATION = "The provided token is invalid or expired";

  private final Jid host;
  private final InvitationModule invitations;
  private final AddressBudget budget;

  PreAuthentication(ModuleContext context, InvitationModule invitations) {
    host = context.domain();
    this.invitations = invitations;
    budget = new AddressBudget(WRONG_TOKENS, context.clock());
  }

  /// The invitation that the client has proved for this host; null if there is none.
  static @Nullable Invitation invitationOf(Client client, Jid host) {
    Invitation invitation = client.get(Invitation.class);
    return invitation != null && invitation.owner().domain().equals(host.domain())
        ? invitation
        : null;
  }

  /// Answers a token.
  IqReply authenticate(Iq iq, Element preauth, Client client) {
    if (iq.to() != null && !host.equals(iq.to())) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    if (!take(client.address())) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT,
          "Too many tokens have been tried from your address. Try again later.");
    }
    client.forget(Invitation.class);
    Invitation invitation = invitations.findForRegistration(preauth.attribute("token"));
    if (invitation == null) {
      return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND, NO_INVITATION);
    }
    budget.giveBack(client.address());
    client.keep(Invitation.class, invitation);
    return IqReply.empty();
  }

  /// The invitation of a token that a page has; null if there is none, or if the address has tried
  /// too many tokens.
  @Nullable Invitation find(String token, InetAddress address) {
    if (!take(address)) {
      return null;
    }
    Invitation invitation = invitations.find(token);
    if (invitation != null) {
      budget.giveBack(address);
    }
    return invitation;
  }

  private boolean take(InetAddress address) {
    boolean permitted = budget.take(address);
    if (!permitted) {
      LOG.atInfo()
          .addKeyValue("address", address.getHostAddress())
          .log("invitation_guesses_refused");
    }
    return permitted;
  }
}
