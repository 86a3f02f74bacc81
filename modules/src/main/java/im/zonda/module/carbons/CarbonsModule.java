package im.zonda.module.carbons;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// Copies what one client of an account sends or receives to its others that ask for it.
///
/// Copies are no messages of their own: they are not kept, not filtered and not copied. Only this
/// server makes them; a message of anyone that looks like one is refused with `not-allowed`.
///
/// A client need not be available to get copies. One that is not gets none of a message that waits
/// in the log, because it will be given the message itself when it becomes available.
@Xep(
    number = 280,
    version = "1.0.1",
    title = "Message Carbons",
    note =
        "An error is copied if the message that it answers was one of the last 64 of the account"
            + " while several clients were there")
public final class CarbonsModule implements XmppModule {
  static final String NAMESPACE = "urn:xmpp:carbons:2";

  private static final QName ENABLE = new QName(NAMESPACE, "enable");
  private static final QName DISABLE = new QName(NAMESPACE, "disable");
  private static final StanzaError FORGED =
      StanzaError.of(ErrorCondition.NOT_ALLOWED).withText("only a server makes carbon copies");

  private final SessionKey<Boolean> enabled =
      new SessionKey<>("carbons", Boolean.class, String::valueOf, Boolean::valueOf);

  @Override
  public String name() {
    return "carbons";
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    context.advertise("urn:xmpp:carbons:rules:0");
    context.onIq(Iq.Type.SET, ENABLE, Addressee.OWN_ACCOUNT, request -> set(request, true));
    context.onIq(Iq.Type.SET, DISABLE, Addressee.OWN_ACCOUNT, request -> set(request, null));
    context.onBind(
        ENABLE,
        (home, session, request) -> {
          session.set(enabled, true);
          return null;
        });
    for (QName request : new QName[] {ENABLE, DISABLE}) {
      context.onIq(
          Iq.Type.SET,
          request,
          Addressee.OTHER_ACCOUNT,
          foreign -> IqReply.refuse(ErrorCondition.NOT_ALLOWED));
    }
    for (HookPoint point : HookPoint.values()) {
      context.onMessage(point, Phase.REFUSE, (message, home, session) -> withoutForged(message));
    }
    Copies copies = new Copies(enabled);
    context.keep(copies.key());
    context.onDelivery(copies);
  }

  private IqReply set(IqRequest request, @Nullable Boolean on) {
    Session session = request.session();
    if (session == null) {
      return IqReply.refuse(ErrorCondition.NOT_ALLOWED);
    }
    session.set(enabled, on);
    return IqReply.empty();
  }

  /// A client that could not read a copy may send it back within an error: that is cut off.
  private static Verdict withoutForged(Message message) {
    if (!message.has(Copies.RECEIVED) && !message.has(Copies.SENT)) {
      return Verdict.pass();
    }
    if (!message.isError()) {
      return new Verdict.Refuse(FORGED);
    }
    return Verdict.replace(
        message.withoutPayloads(payload ->
            payload.name().equals(Copies.RECEIVED) || payload.name().equals(Copies.SENT)));
  }
}
