package im.zonda.home.remote;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/// Rules for stanzas to other servers: which messages must be stored, and which payloads are added.
final class RemoteMessages {
  private static final QName DELAY = new QName("urn:xmpp:delay", "delay");
  private static final QName NO_STORE = new QName("urn:xmpp:hints", "no-store");
  private static final QName THREAD = new QName(Namespaces.CLIENT, "thread");
  private static final String CHAT_STATES = "http://jabber.org/protocol/chatstates";

  /// In UTC with milliseconds (XEP-0082, section 3.2).
  private static final DateTimeFormatter STAMP =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  /// A stanza that has waited longer is marked as delayed, in milliseconds.
  private static final long LATE = 5_000;

  private RemoteMessages() {}

  /// Whether the message must survive a crash: not chat states (XEP-0085), messages that must not
  /// be stored (XEP-0334), notifications, and messages of a room to an occupant's full address,
  /// which are in the room's own log.
  static boolean isLasting(Message message) {
    if (message.has(NO_STORE)) {
      return false;
    }
    Jid to = message.to();
    return switch (message.type()) {
      case HEADLINE -> false;
      case GROUPCHAT -> to != null && to.isBare();
      case NORMAL, CHAT, ERROR -> message.hasBody() || !isChatState(message);
    };
  }

  private static boolean isChatState(Message message) {
    for (QName name : message.payloadNames()) {
      if (!name.namespace().equals(CHAT_STATES) && !name.equals(THREAD)) {
        return false;
      }
    }
    return true;
  }

  /// The same message with an id, so that its receiver recognises a repeated one.
  static Message withId(Message message, long logId) {
    return message.id() == null ? message.withId(Long.toString(logId)) : message;
  }

  /// The stanza to send now: a message or available presence that has waited long gets a delay
  /// (XEP-0203).
  static Stanza stamped(QueuedStanza queued, String localDomain, long now) {
    Stanza stanza = queued.stanza();
    if (now - queued.since() <= LATE || !isStamped(stanza) || stanza.has(DELAY)) {
      return stanza;
    }
    return stanza.withPayload(
        Element.builder(DELAY.namespace(), DELAY.name())
            .attribute("from", localDomain)
            .attribute("stamp", STAMP.format(Instant.ofEpochMilli(queued.since())))
            .build());
  }

  private static boolean isStamped(Stanza stanza) {
    return stanza instanceof Message
        || (stanza instanceof Presence presence && presence.type() == Presence.Type.AVAILABLE);
  }
}
