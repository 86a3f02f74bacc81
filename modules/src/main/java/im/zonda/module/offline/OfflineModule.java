package im.zonda.module.offline;

import im.zonda.hook.StorageRule;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.QName;
import java.util.List;

/// Decides which messages are stored: those of types `normal` and `chat` that have content. Chat
/// states alone, headlines, groupchat messages, query results of an archive and errors are not (RFC
/// 6121, section 8.5.2; XEP-0160, section 3; XEP-0313, section 6.1).
///
/// References to earlier messages are content: receipts (XEP-0184), markers (XEP-0333), corrections
/// (XEP-0308), retractions (XEP-0424) and reactions (XEP-0444); encrypted payloads (XEP-0380) are
/// too.
///
/// It decides on every message, so rules for exceptions must be installed before. The router stores
/// the messages and delivers them later.
@Xep(number = 160, version = "1.0.1", title = "Best Practices for Handling Offline Messages")
@Xep(
    number = 66,
    version = "1.5",
    title = "Out of Band Data",
    note = "Clients send it to each other; the server delivers and keeps it like any content")
@Xep(
    number = 85,
    version = "2.1",
    title = "Chat State Notifications",
    note = "Clients send them to each other; the server delivers them and keeps none")
@Xep(
    number = 184,
    version = "1.4.0",
    title = "Message Delivery Receipts",
    note = "Clients send them to each other; the server delivers and keeps them like messages")
@Xep(
    number = 231,
    version = "1.1",
    title = "Bits of Binary",
    note = "Clients request data of each other; the server delivers the requests and keeps no data")
@Xep(
    number = 308,
    version = "1.2.1",
    title = "Last Message Correction",
    note = "Clients send them to each other; the server delivers and keeps them like messages")
@Xep(
    number = 333,
    version = "1.0.0",
    title = "Displayed Markers",
    note = "Clients send them to each other; the server delivers and keeps them like messages")
@Xep(
    number = 393,
    version = "1.1.1",
    title = "Message Styling",
    note = "Clients style the bodies, which the server does not change")
@Xep(
    number = 444,
    version = "0.2.1",
    title = "Message Reactions",
    note = "Clients send them to each other; the server delivers and keeps them like messages")
public final class OfflineModule implements XmppModule {
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");
  private static final QName THREAD = new QName(Namespaces.CLIENT, "thread");
  private static final QName ASKS_RECEIPT = new QName("urn:xmpp:receipts", "request");
  private static final QName ASKS_MARKER = new QName("urn:xmpp:chat-markers:0", "markable");
  private static final String CARBONS = "urn:xmpp:carbons:2";
  private static final String CHAT_STATES = "http://jabber.org/protocol/chatstates";
  private static final String HINTS = "urn:xmpp:hints";
  private static final String STANZA_IDS = "urn:xmpp:sid:0";
  private static final String DELAY = "urn:xmpp:delay";
  private static final String ARCHIVE = "urn:xmpp:mam:2";

  @Override
  public String name() {
    return "offline";
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise("msgoffline");
    context.onStorage(OfflineModule::decide);
  }

  private static StorageRule.Decision decide(Message message) {
    return switch (message.type()) {
      case NORMAL, CHAT ->
          hasContent(message) ? StorageRule.Decision.STORE : StorageRule.Decision.SKIP;
      case GROUPCHAT, HEADLINE, ERROR -> StorageRule.Decision.SKIP;
    };
  }

  private static boolean hasContent(Message message) {
    if (message.has(BODY)) {
      return true;
    }
    // By index, to avoid an iterator for every message.
    List<QName> names = message.payloadNames();
    for (int i = 0; i < names.size(); i++) {
      if (!isMetadata(names.get(i))) {
        return true;
      }
    }
    return false;
  }

  /// Whether a payload is metadata or a momentary state.
  private static boolean isMetadata(QName name) {
    return switch (name.namespace()) {
      case CHAT_STATES, HINTS, STANZA_IDS, DELAY, CARBONS, ARCHIVE -> true;
      default -> name.equals(THREAD) || name.equals(ASKS_RECEIPT) || name.equals(ASKS_MARKER);
    };
  }
}
