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

/// Adds the host's `<delay/>` to messages that are delivered late.
///
/// Removes a `<delay/>` that a client or another server has forged in the host's name (XEP-0203,
/// section 6); those of others stay.
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
          point, Phase.REWRITE, (message, home, session) -> removeForged(message, domain));
    }
    context.onLateDelivery((message, time) -> addDelay(message, time, domain));
  }

  private static Verdict removeForged(Message message, Jid domain) {
    if (!message.has(DELAY)) {
      return Verdict.pass();
    }
    Message clean = without(message, domain);
    return clean == message ? Verdict.pass() : Verdict.replace(clean);
  }

  /// A delay of this host stays: forged ones were removed on arrival, so it is the time at which
  /// the server received the message.
  private static Message addDelay(Message message, Instant time, Jid domain) {
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
    return message.withoutPayloads(DELAY, delay -> isBy(domain, delay.attribute("from")));
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
