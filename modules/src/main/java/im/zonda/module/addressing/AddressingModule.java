package im.zonda.module.addressing;

import im.zonda.config.limits.Limits.AddressingLimits;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.addressing.Addresses.BadAddressException;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Sends messages and presence of the host's accounts to several addresses. The stanza is addressed
/// to the host; each copy is handled as if the client had sent it: it is filtered, limited,
/// archived and acknowledged like that, and addresses that have got available presence get
/// unavailable presence like those of directed presence.
///
/// Other entities may not use the service: they are answered `forbidden`.
@Xep(
    number = 33,
    version = "1.2.1",
    title = "Extended Stanza Addressing",
    note =
        "For accounts of the host only. Each address gets its own copy, also those of a server"
            + " that could distribute one itself; a `uri` is not supported")
public final class AddressingModule implements XmppModule {
  /// A copy of a larger stanza counts as several, so that the bytes are limited too.
  private static final int PART_BYTES = 4_096;

  private final HomeKey<CopyRate> rate = new HomeKey<>("address-copies", account -> new CopyRate());

  @Override
  public String name() {
    return "addressing";
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(Addresses.NAMESPACE);
    context.addHomeState(rate);
    Jid host = context.domain();
    context.onMessage(
        HookPoint.SENT_BY_CLIENT,
        Phase.REWRITE,
        (message, home, session) ->
            !message.isError() && host.equals(message.to()) && message.has(Addresses.NAME)
                ? copies(context, message, home)
                : Verdict.pass());
    context.onPresence(
        HookPoint.SENT_BY_CLIENT,
        Phase.REWRITE,
        (presence, home, session) ->
            shows(presence) && host.equals(presence.to()) && presence.has(Addresses.NAME)
                ? copies(context, presence, home)
                : Verdict.pass());
    context.extend(
        new ExternalComponents.Extension() {
          @Override
          public boolean accept(Envelope envelope) {
            return refuse(context, envelope.stanza());
          }
        });
  }

  /// Whether it is presence of a session; subscriptions are between two.
  private static boolean shows(Presence presence) {
    return presence.type() == Presence.Type.AVAILABLE
        || presence.type() == Presence.Type.UNAVAILABLE;
  }

  private Verdict copies(ModuleContext context, Stanza stanza, Home home) {
    AddressingLimits limits = context.config().limits().addressing();
    Element element = stanza.payload(Addresses.NAME);
    if (element == null) {
      return Verdict.pass();
    }
    Map<Jid, Element> receivers;
    try {
      receivers = Addresses.read(element, limits.addresses()).receivers();
    } catch (BadAddressException e) {
      return new Verdict.Refuse(e.error());
    }
    if (receivers.containsKey(context.domain())) {
      return new Verdict.Refuse(
          StanzaError.of(ErrorCondition.BAD_REQUEST)
              .withText("the address of this service cannot be one of the addresses"));
    }
    int copied = receivers.size() * (1 + stanza.writtenSize() / PART_BYTES);
    if (!home.state(rate).tryAcquire(copied, context.clock().millis(), limits.copies())) {
      return new Verdict.Refuse(
          new StanzaError(
              ErrorCondition.POLICY_VIOLATION,
              ErrorType.WAIT,
              "too many stanzas to several addresses in a short time; wait some seconds and try"
                  + " again",
              null));
    }
    Stanza plain = stanza.withoutPayloads(payload -> payload.name().equals(Addresses.NAME));
    List<Stanza> copies = new ArrayList<>(receivers.size());
    receivers.forEach((to, addresses) ->
        copies.add(plain.withPayload(addresses).withAddresses(stanza.from(), to)));
    return new Verdict.Each(copies);
  }

  /// Answers a stanza of someone who may not use the service; false if it is none for the service.
  private static boolean refuse(ModuleContext context, Stanza stanza) {
    if (stanza.isError() || stanza.from() == null || !stanza.has(Addresses.NAME)) {
      return false;
    }
    StanzaError error = StanzaError.of(ErrorCondition.FORBIDDEN);
    switch (stanza) {
      case Message message -> context.send(Message.error(message, error));
      case Presence presence when shows(presence) -> context.send(Presence.error(presence, error));
      default -> {
        return false;
      }
    }
    return true;
  }
}
