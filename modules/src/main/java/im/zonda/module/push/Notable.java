package im.zonda.module.push;

import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decides which messages are worth waking a client for: those with a body, encrypted ones
/// (XEP-0380, XEP-0384), and invitations to calls (XEP-0353, XEP-0482) and to rooms (XEP-0045,
/// XEP-0249). Chat states, receipts and markers are not, nor is the history that a room sends to
/// those who enter.
final class Notable {
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");
  private static final QName DELAY = new QName("urn:xmpp:delay", "delay");
  private static final QName ENCRYPTION = new QName("urn:xmpp:eme:0", "encryption");
  private static final String AXOLOTL = "eu.siacs.conversations.axolotl";
  private static final String OMEMO = "urn:xmpp:omemo:";

  private Notable() {}

  /// Whether the message counts. Its sender and receiver do not matter.
  static boolean isNotable(Message message) {
    if (message.isError() || message.type() == Message.Type.HEADLINE) {
      return false;
    }
    if (message.type() == Message.Type.GROUPCHAT && message.has(DELAY)) {
      return false;
    }
    return body(message) != null || hasOther(message);
  }

  /// Whether the message is encrypted, so that its body is for clients that cannot decrypt it.
  static boolean isEncrypted(Message message) {
    List<QName> names = message.payloadNames();
    for (int i = 0; i < names.size(); i++) {
      QName name = names.get(i);
      if (name.equals(ENCRYPTION) || isOmemo(name) || isEncrypted(name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasOther(Message message) {
    // By index, to avoid an iterator for every message.
    List<QName> names = message.payloadNames();
    boolean marked = false;
    boolean keysOnly = false;
    for (int i = 0; i < names.size(); i++) {
      QName name = names.get(i);
      if (isInvitation(message, name) || isEncrypted(name)) {
        return true;
      }
      marked |= name.equals(ENCRYPTION);
      if (isOmemo(name)) {
        Element encrypted = message.payload(name);
        if (encrypted != null && encrypted.child("payload") != null) {
          return true;
        }
        keysOnly = true;
      }
    }
    // An OMEMO element without a payload only renews keys (XEP-0384, section 5.4).
    return marked && !keysOnly;
  }

  private static boolean isInvitation(Message message, QName name) {
    return switch (name.namespace()) {
      case "jabber:x:conference" -> true;
      case "http://jabber.org/protocol/muc#user" -> {
        Element user = message.payload(name);
        yield user != null && user.child("invite") != null;
      }
      case "urn:xmpp:jingle-message:0" -> name.name().equals("propose");
      case "urn:xmpp:call-invites:0" -> name.name().equals("invite");
      default -> false;
    };
  }

  private static boolean isEncrypted(QName name) {
    return switch (name.namespace()) {
      case "urn:xmpp:openpgp:0" -> name.name().equals("openpgp");
      case "jabber:x:encrypted" -> name.name().equals("x");
      default -> false;
    };
  }

  private static boolean isOmemo(QName name) {
    return name.name().equals("encrypted")
        && (name.namespace().equals(AXOLOTL) || name.namespace().startsWith(OMEMO));
  }

  /// The text of the message, or null if it has none.
  static @Nullable String body(Message message) {
    if (!message.hasBody()) {
      return null;
    }
    Element body = message.payload(BODY);
    String text = body == null ? "" : body.text();
    return text.isEmpty() ? null : text;
  }
}
