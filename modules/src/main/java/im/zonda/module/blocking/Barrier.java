package im.zonda.module.blocking;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
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

/// Stops what passes between an account and those whom it blocks (XEP-0191, section 3.3).
///
/// It goes by the stamped sender, never by what a stanza says inside.
final class Barrier {
  private static final StanzaError BLOCKED =
      new StanzaError(ErrorCondition.NOT_ACCEPTABLE, ErrorType.CANCEL, null, null)
          .withDetail(Element.of("urn:xmpp:blocking:errors", "blocked"));

  private final HomeKey<BlockList> key;

  Barrier(HomeKey<BlockList> key) {
    this.key = key;
  }

  void install(ModuleContext context) {
    context.onMessage(
        HookPoint.SENT_BY_CLIENT,
        Phase.REFUSE,
        (message, home, session) -> leaving(message, home, session));
    context.onPresence(
        HookPoint.SENT_BY_CLIENT,
        Phase.REFUSE,
        (presence, home, session) -> leaving(presence, home, session));
    context.onIq(
        HookPoint.SENT_BY_CLIENT, Phase.REFUSE, (iq, home, session) -> leaving(iq, home, session));
    context.onMessage(
        HookPoint.ARRIVING, Phase.REFUSE, (message, home, session) -> arriving(message, home));
    context.onPresence(
        HookPoint.ARRIVING, Phase.REFUSE, (presence, home, session) -> arriving(presence, home));
    context.onIq(HookPoint.ARRIVING, Phase.REFUSE, (iq, home, session) -> arriving(iq, home));
  }

  /// Whether the account blocks that address. Never its own clients nor its own server.
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

  /// The answer goes straight to the client: it comes in the name of one whose stanzas are stopped.
  private Verdict leaving(Stanza stanza, Home home, @Nullable Session session) {
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
    return Verdict.handled();
  }

  /// The sender learns what it would learn if there were no account, and of its presence nothing.
  ///
  /// A groupchat message of a blocked occupant is discarded without an error: the error would go to
  /// the room, and there it means that this account's session is gone (XEP-0045, section 17.1.2).
  private Verdict arriving(Stanza stanza, Home home) {
    Jid from = stanza.from();
    if (from == null || !blocks(home, from)) {
      return Verdict.pass();
    }
    boolean silently =
        stanza instanceof Presence
            || (stanza instanceof Message message && message.type() == Message.Type.GROUPCHAT);
    return silently ? Verdict.handled() : Verdict.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
  }
}
