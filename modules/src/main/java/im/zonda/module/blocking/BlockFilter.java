package im.zonda.module.blocking;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.module.ModuleContext;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// Rejects stanzas between an account and the addresses that it blocks (XEP-0191, section 3.3).
/// Only `from` and `to` count, never the payloads.
final class BlockFilter {
  private static final StanzaError BLOCKED =
      new StanzaError(ErrorCondition.NOT_ACCEPTABLE, ErrorType.CANCEL, null, null)
          .withDetail(Element.of("urn:xmpp:blocking:errors", "blocked"));

  private final HomeKey<BlockList> key;

  BlockFilter(HomeKey<BlockList> key) {
    this.key = key;
  }

  void install(ModuleContext context) {
    context.onMessage(
        HookPoint.SENT_BY_CLIENT,
        Phase.REFUSE,
        (message, home, session) -> filterOutbound(message, home, session));
    context.onPresence(
        HookPoint.SENT_BY_CLIENT,
        Phase.REFUSE,
        (presence, home, session) -> filterOutbound(presence, home, session));
    context.onIq(
        HookPoint.SENT_BY_CLIENT,
        Phase.REFUSE,
        (iq, home, session) -> filterOutbound(iq, home, session));
    context.onMessage(
        HookPoint.ARRIVING, Phase.REFUSE, (message, home, session) -> filterInbound(message, home));
    context.onPresence(
        HookPoint.ARRIVING,
        Phase.REFUSE,
        (presence, home, session) -> filterInbound(presence, home));
    context.onIq(HookPoint.ARRIVING, Phase.REFUSE, (iq, home, session) -> filterInbound(iq, home));
  }

  /// Whether the account blocks that address. False for its own clients and its own server.
  boolean blocks(Home home, Jid other) {
    if (!home.exists()) {
      return false;
    }
    BlockList list = home.state(key);
    if (!list.matches(other)) {
      return false;
    }
    boolean own =
        other.bare().equals(home.jid())
            || (other.isDomain() && other.domain().equals(home.jid().domain()));
    return !own;
  }

  /// The error is sent to the session directly: routed, its `from` would be blocked.
  private Verdict filterOutbound(Stanza stanza, Home home, @Nullable Session session) {
    Jid to = stanza.to();
    if (to == null || !blocks(home, to)) {
      return Verdict.pass();
    }
    if (session != null && !stanza.isError()) {
      switch (stanza) {
        case Message message -> session.send(Message.error(message, BLOCKED));
        case Presence presence -> session.send(Presence.error(presence, BLOCKED));
        case Iq iq -> {
          if (iq.isRequest()) {
            session.send(Iq.error(iq, BLOCKED));
          }
        }
      }
    }
    return new Verdict.Drop(Reason.BLOCKED_BY_SENDER);
  }

  /// The sender gets the same error as for an account that does not exist, and none for presence.
  ///
  /// A groupchat message of a blocked occupant is discarded without an error: the room would take
  /// the error as a sign that the session is gone (XEP-0045, section 17.1.2).
  private Verdict filterInbound(Stanza stanza, Home home) {
    Jid from = stanza.from();
    if (from == null || !blocks(home, from)) {
      return Verdict.pass();
    }
    boolean silently =
        stanza instanceof Presence
            || (stanza instanceof Message message && message.type() == Message.Type.GROUPCHAT);
    return silently
        ? new Verdict.Drop(Reason.BLOCKED_BY_RECEIVER)
        : Verdict.refuse(ErrorCondition.SERVICE_UNAVAILABLE, Reason.BLOCKED_BY_RECEIVER);
  }
}
