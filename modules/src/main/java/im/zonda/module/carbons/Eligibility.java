package im.zonda.module.carbons;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;

/// Decides which messages are copied (XEP-0280, section 6.1), except for errors.
final class Eligibility {
  private static final QName PRIVATE = new QName(CarbonsModule.NAMESPACE, "private");
  private static final QName NO_COPY = new QName("urn:xmpp:hints", "no-copy");
  private static final QName INVITATION = new QName("jabber:x:conference", "x");
  private static final QName ROOM_USER = new QName("http://jabber.org/protocol/muc#user", "x");

  private Eligibility() {}

  /// Whether the sender has excluded the message from copying (section 9; XEP-0334, section 4.3).
  static boolean isExcluded(Message message) {
    return message.has(PRIVATE) || message.has(NO_COPY);
  }

  /// Whether the message is copied.
  ///
  /// @param received whether the account receives it, rather than sends it
  static boolean isEligible(Message message, boolean received) {
    if (isExcluded(message)) {
      return false;
    }
    Element room = message.payload(ROOM_USER);
    if (room != null && room.child("invite") != null) {
      return message.type() != Message.Type.GROUPCHAT;
    }
    Jid from = message.from();
    if (received && room != null && from != null && from.resource() != null) {
      // The room sends it to every client that has joined.
      return false;
    }
    return switch (message.type()) {
      case CHAT -> true;
      case NORMAL -> message.hasBody() || isInstantMessaging(message);
      case HEADLINE -> isInstantMessaging(message);
      case GROUPCHAT, ERROR -> false;
    };
  }

  /// Whether it contains a receipt, a chat state, a chat marker or a direct invitation.
  private static boolean isInstantMessaging(Message message) {
    List<QName> names = message.payloadNames();
    for (int i = 0; i < names.size(); i++) {
      QName name = names.get(i);
      switch (name.namespace()) {
        case "urn:xmpp:receipts",
            "http://jabber.org/protocol/chatstates",
            "urn:xmpp:chat-markers:0" -> {
          return true;
        }
        default -> {
          if (name.equals(INVITATION)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
