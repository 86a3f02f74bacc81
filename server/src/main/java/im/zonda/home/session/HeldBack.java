package im.zonda.home.session;

import im.zonda.jid.Jid;
import im.zonda.module.Xep;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Stanzas that a session gets later: presence and chat states while its client is inactive.
///
/// Of one sender only the latest is kept, at the place of the latest, so that the order of what
/// goes out is one that could have been. Counts in the session's [Share]. Confined to the home's
/// mailbox.
@Xep(number = 352, version = "1.0.0", title = "Client State Indication")
final class HeldBack {
  /// More than this is not held; all of it goes out first.
  static final int MAX = 1_000;

  private static final String CHAT_STATES = "http://jabber.org/protocol/chatstates";
  private static final String HINTS = "urn:xmpp:hints";
  private static final QName ROOM = new QName("http://jabber.org/protocol/muc#user", "x");
  private static final QName THREAD = new QName("jabber:client", "thread");

  private record Key(boolean presence, @Nullable Jid from, boolean group) {}

  private final Share share;
  private final Map<Key, KeptStanza> held = new LinkedHashMap<>();

  HeldBack(Share share) {
    this.share = share;
  }

  /// Whether the stanza can wait without harm: presence that is neither a request nor an error, or
  /// a message that says only what the other one is doing (XEP-0085).
  static boolean canWait(Stanza stanza) {
    return switch (stanza) {
      case Presence presence ->
          (presence.type() == Presence.Type.AVAILABLE
                  || presence.type() == Presence.Type.UNAVAILABLE)
              && !tellsOfRoom(presence);
      case Message message -> !message.isError() && isChatState(message);
      default -> false;
    };
  }

  /// Whether a room says more by it than that someone is there (XEP-0045, status codes).
  private static boolean tellsOfRoom(Presence presence) {
    Element room = presence.has(ROOM) ? presence.payload(ROOM) : null;
    return room != null && room.child("status") != null;
  }

  private static boolean isChatState(Message message) {
    boolean found = false;
    for (QName name : message.payloadNames()) {
      if (name.namespace().equals(CHAT_STATES)) {
        found = true;
      } else if (!name.equals(THREAD) && !name.namespace().equals(HINTS)) {
        return false;
      }
    }
    return found;
  }

  /// Keeps a stanza that can wait; false if there is no room for it.
  ///
  /// @param time when it is sent, in ms since 1970
  public boolean add(Stanza stanza, long time) {
    Key key =
        new Key(
            stanza instanceof Presence,
            stanza.from(),
            stanza instanceof Message message && message.type() == Message.Type.GROUPCHAT);
    KeptStanza older = held.remove(key);
    if (older != null) {
      share.give(older);
    } else if (held.size() >= MAX) {
      return false;
    }
    KeptStanza kept = new KeptStanza(stanza, null, time);
    if (!share.take(kept)) {
      return false;
    }
    held.put(key, kept);
    return true;
  }

  /// Takes all, in order.
  public List<KeptStanza> take() {
    List<KeptStanza> all = new ArrayList<>(held.values());
    held.clear();
    all.forEach(share::give);
    return all;
  }

  /// All that is held, in order.
  List<KeptStanza> waiting() {
    return List.copyOf(held.values());
  }

  /// Whether nothing is held.
  public boolean isEmpty() {
    return held.isEmpty();
  }
}
