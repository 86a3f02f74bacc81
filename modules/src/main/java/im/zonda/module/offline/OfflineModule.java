package im.zonda.module.offline;

import im.zonda.hook.StorageRule;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.QName;
import java.util.List;

/// Says which messages are worth keeping: those of the types normal and chat that say something.
/// Chat states alone, headlines, room messages, what another archive gives its reader and errors
/// are not (RFC 6121, section 8.5.2; XEP-0160, section 3; XEP-0313, section 6.1).
///
/// What is about an earlier message says something: receipts (XEP-0184), markers (XEP-0333),
/// corrections (XEP-0308), retractions (XEP-0424) and reactions (XEP-0444); so does what cannot be
/// read here (XEP-0380).
///
/// It decides on every message, so rules that make exceptions must be installed before it. The
/// router keeps the messages and delivers them later.
@Xep(number = 160, version = "1.0.1", title = "Best Practices for Handling Offline Messages")
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
          saysSomething(message) ? StorageRule.Decision.STORE : StorageRule.Decision.SKIP;
      case GROUPCHAT, HEADLINE, ERROR -> StorageRule.Decision.SKIP;
    };
  }

  private static boolean saysSomething(Message message) {
    if (message.has(BODY)) {
      return true;
    }
    // By index: an iterator would be garbage for every message.
    List<QName> names = message.payloadNames();
    for (int i = 0; i < names.size(); i++) {
      if (!isEnvelope(names.get(i))) {
        return true;
      }
    }
    return false;
  }

  /// Whether it is about the message or the moment, and says nothing itself.
  private static boolean isEnvelope(QName name) {
    return switch (name.namespace()) {
      case CHAT_STATES, HINTS, STANZA_IDS, DELAY, CARBONS, ARCHIVE -> true;
      default -> name.equals(THREAD) || name.equals(ASKS_RECEIPT) || name.equals(ASKS_MARKER);
    };
  }
}
