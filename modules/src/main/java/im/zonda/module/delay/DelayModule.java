package im.zonda.module.delay;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import org.jspecify.annotations.Nullable;

/// Says in the host's name when a message was received that is delivered late.
///
/// What others say of a delay is kept as it is. What a client or a stranger says in this host's
/// name is removed (XEP-0203, section 6).
@Xep(number = 203, version = "2.0", title = "Delayed Delivery")
public final class DelayModule implements XmppModule {
  private static final QName DELAY = new QName("urn:xmpp:delay", "delay");

  /// In UTC with milliseconds (XEP-0082, section 3.2).
  private static final DateTimeFormatter STAMP =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  @Override
  public String name() {
    return "delay";
  }

  @Override
  public void install(ModuleContext context) {
    Jid domain = context.domain();
    for (HookPoint point : HookPoint.values()) {
      context.onMessage(
          point, Phase.REWRITE, (message, home, session) -> withoutForged(message, domain));
    }
    context.onLateDelivery((message, time) -> mark(message, time, domain));
  }

  private static Verdict withoutForged(Message message, Jid domain) {
    if (!message.has(DELAY)) {
      return Verdict.pass();
    }
    Message clean = without(message, domain);
    return clean == message ? Verdict.pass() : Verdict.replace(clean);
  }

  /// The first mark stays: what a client claims in this host's name was removed when it arrived, so
  /// one that is there says when the server received the message.
  private static Message mark(Message message, Instant time, Jid domain) {
    if (message.has(DELAY) && without(message, domain) != message) {
      return message;
    }
    return message.withPayload(
        Element.builder(DELAY)
            .attribute("from", domain.toString())
            .attribute("stamp", STAMP.format(time))
            .build());
  }

  private static Message without(Message message, Jid domain) {
    return message.withoutPayloads(
        payload -> payload.name().equals(DELAY) && isBy(domain, payload.attribute("from")));
  }

  private static boolean isBy(Jid domain, @Nullable String from) {
    if (from == null) {
      return false;
    }
    try {
      return domain.equals(Jid.of(from.strip()));
    } catch (JidFormatException e) {
      return false;
    }
  }
}
