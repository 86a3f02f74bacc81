package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.xml.QName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Common names and namespaces of XMPP streams, found by their bytes without creating a string.
///
/// Filled once from the list below; input from peers is never added.
final class KnownNames {
  // A namespace, followed by common local names in it.
  private static final String[] VOCABULARY = {
    "jabber:client message presence iq body thread subject error show status priority",
    "jabber:server message presence iq body thread subject error show status priority",
    "http://etherx.jabber.org/streams stream features error",
    "urn:ietf:params:xml:ns:xmpp-stanzas bad-request conflict feature-not-implemented forbidden"
        + " internal-server-error item-not-found not-acceptable not-allowed not-authorized"
        + " recipient-unavailable remote-server-not-found remote-server-timeout"
        + " service-unavailable text",
    "urn:ietf:params:xml:ns:xmpp-streams text",
    "urn:ietf:params:xml:ns:xmpp-tls starttls proceed failure required",
    "urn:ietf:params:xml:ns:xmpp-sasl auth abort challenge response success failure mechanisms"
        + " mechanism",
    "urn:xmpp:sasl:2 authenticate authentication challenge response success failure continue abort",
    "urn:xmpp:bind:0 bind bound",
    "urn:ietf:params:xml:ns:xmpp-bind bind jid resource",
    "urn:ietf:params:xml:ns:xmpp-session session",
    "urn:xmpp:sm:3 a r enable enabled resume resumed failed sm",
    "urn:xmpp:csi:0 active inactive csi",
    "jabber:iq:roster query item group",
    "jabber:iq:auth query",
    "jabber:iq:last query",
    "jabber:iq:private query",
    "jabber:iq:register query",
    "jabber:iq:search query",
    "jabber:iq:version query name version os",
    "jabber:x:conference x",
    "jabber:x:data x field value option",
    "jabber:x:delay x",
    "jabber:x:event x",
    "jabber:x:oob x url",
    "http://jabber.org/protocol/activity activity",
    "http://jabber.org/protocol/address addresses address",
    "http://jabber.org/protocol/caps c",
    "http://jabber.org/protocol/chatstates active composing gone inactive paused",
    "http://jabber.org/protocol/commands command",
    "http://jabber.org/protocol/disco#info query identity feature",
    "http://jabber.org/protocol/disco#items query item",
    "http://jabber.org/protocol/geoloc geoloc",
    "http://jabber.org/protocol/mood mood",
    "http://jabber.org/protocol/muc x history password",
    "http://jabber.org/protocol/muc#admin query item",
    "http://jabber.org/protocol/muc#owner query destroy",
    "http://jabber.org/protocol/muc#user x item status invite decline",
    "http://jabber.org/protocol/nick nick",
    "http://jabber.org/protocol/pubsub pubsub items item publish retract subscribe unsubscribe",
    "http://jabber.org/protocol/pubsub#event event items item retract",
    "http://jabber.org/protocol/pubsub#owner pubsub",
    "http://jabber.org/protocol/rsm set max before after",
    "http://jabber.org/protocol/tune tune",
    "http://jabber.org/protocol/xhtml-im html",
    "http://www.w3.org/1999/xhtml body p span",
    "http://www.w3.org/XML/1998/namespace lang",
    "urn:xmpp:attention:0 attention",
    "urn:xmpp:avatar:data data",
    "urn:xmpp:avatar:metadata metadata info",
    "urn:xmpp:blocking block blocklist unblock item",
    "urn:xmpp:carbons:2 enable disable private received sent",
    "urn:xmpp:chat-markers:0 markable received displayed acknowledged",
    "urn:xmpp:delay delay",
    "urn:xmpp:eme:0 encryption",
    "urn:xmpp:extdisco:2 services service",
    "urn:xmpp:fallback:0 fallback body",
    "urn:xmpp:forward:0 forwarded",
    "urn:xmpp:hints no-copy no-permanent-store no-store store",
    "urn:xmpp:http:upload:0 request slot put get header",
    "urn:xmpp:idle:1 idle",
    "urn:xmpp:jingle:1 jingle content",
    "urn:xmpp:jingle-message:0 propose proceed accept reject retract ringing finish",
    "urn:xmpp:mam:2 query result fin prefs",
    "urn:xmpp:message-attaching:1 attach-to",
    "urn:xmpp:message-correct:0 replace",
    "urn:xmpp:message-moderate:1 moderate moderated",
    "urn:xmpp:message-retract:1 retract retracted",
    "urn:xmpp:occupant-id:0 occupant-id",
    "urn:xmpp:ping ping",
    "urn:xmpp:push:0 enable disable notification",
    "urn:xmpp:reactions:0 reactions reaction",
    "urn:xmpp:receipts received request",
    "urn:xmpp:reference:0 reference",
    "urn:xmpp:reply:0 reply",
    "urn:xmpp:sid:0 stanza-id origin-id",
    "urn:xmpp:time time tzo utc",
    "eu.siacs.conversations.axolotl encrypted header key iv payload list device",
    "vcard-temp vCard",
    "vcard-temp:x:update x photo",
  };

  // Attribute names without a namespace.
  private static final String ATTRIBUTES =
      "affiliation ask autojoin by category code complete content description from h hash id index"
          + " jid label lang max mechanism name nick node queryid reason resume role sid stamp"
          + " subscription to type uri url value var ver version xmlns";

  private static final int MASK = 1023;
  private static final Slot[] NAMES = new Slot[MASK + 1];
  private static final @Nullable String[] NAMESPACES = new @Nullable String[MASK + 1];
  private static final byte[][] NAMESPACE_BYTES = new byte[MASK + 1][];

  private static final class Slot {
    private final QName name;
    private final byte[] local;

    Slot(QName name, byte[] local) {
      this.name = name;
      this.local = local;
    }
  }

  static {
    add(ATTRIBUTES, "");
    for (String line : VOCABULARY) {
      int space = line.indexOf(' ');
      String namespace = line.substring(0, space).intern();
      int slot = freeNamespaceSlot(namespace.getBytes(UTF_8));
      NAMESPACES[slot] = namespace;
      NAMESPACE_BYTES[slot] = namespace.getBytes(UTF_8);
      add(line.substring(space + 1), namespace);
    }
  }

  private KnownNames() {}

  /// Returns the namespace in `bytes[from, to)`; a shared string if it is known.
  static String namespace(byte[] bytes, int from, int to) {
    if (from == to) {
      return "";
    }
    int slot = hash(bytes, from, to) & MASK;
    String known;
    while ((known = NAMESPACES[slot]) != null) {
      byte[] candidate = NAMESPACE_BYTES[slot];
      if (Arrays.equals(candidate, 0, candidate.length, bytes, from, to)) {
        return known;
      }
      slot = (slot + 1) & MASK;
    }
    return XmlText.value(bytes, from, to);
  }

  /// Returns the name with this namespace and the local name `bytes[from, to)`; shared if it is
  /// known.
  static QName name(String namespace, byte[] bytes, int from, int to) {
    int slot = (hash(bytes, from, to) + 31 * namespace.hashCode()) & MASK;
    Slot known;
    while ((known = NAMES[slot]) != null) {
      if (Arrays.equals(known.local, 0, known.local.length, bytes, from, to)
          && known.name.namespace().equals(namespace)) {
        return known.name;
      }
      slot = (slot + 1) & MASK;
    }
    return new QName(namespace, new String(bytes, from, to - from, UTF_8));
  }

  private static void add(String names, String namespace) {
    for (String local : names.split(" ", -1)) {
      byte[] bytes = local.getBytes(UTF_8);
      int slot = (hash(bytes, 0, bytes.length) + 31 * namespace.hashCode()) & MASK;
      while (NAMES[slot] != null) {
        slot = (slot + 1) & MASK;
      }
      NAMES[slot] = new Slot(new QName(namespace, local.intern()), bytes);
    }
  }

  private static int freeNamespaceSlot(byte[] bytes) {
    int slot = hash(bytes, 0, bytes.length) & MASK;
    while (NAMESPACES[slot] != null) {
      slot = (slot + 1) & MASK;
    }
    return slot;
  }

  private static int hash(byte[] bytes, int from, int to) {
    return WordScan.tailHash(bytes, from, to);
  }
}
