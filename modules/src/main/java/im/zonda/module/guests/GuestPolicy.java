package im.zonda.module.guests;

import im.zonda.account.GuestAddress;
import im.zonda.config.Guests;
import im.zonda.jid.Jid;
import im.zonda.session.Home;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.QName;
import java.util.Set;

/// Whom guests of a host may reach and what they may request (XEP-0175, section 3). Immutable; any
/// thread may call.
///
/// Guests reach the rooms and the accounts of their own host. They store nothing and begin nothing
/// that lasts: no subscriptions, no registrations, no rooms.
///
/// @param host the domain of the host
/// @param rooms the domain of its rooms
/// @param rules what the host's settings allow
record GuestPolicy(Jid host, String rooms, Guests rules) {
  /// What a guest may change in a room: the server keeps nothing of it for the guest.
  private static final Set<String> ROOM_CHANGES =
      Set.of(
          "urn:xmpp:mam:2", "http://jabber.org/protocol/muc#admin", "urn:xmpp:message-moderate:1");

  /// What a guest may request of the host.
  private static final Set<QName> HOST_REQUESTS =
      Set.of(
          new QName("http://jabber.org/protocol/disco#info", "query"),
          new QName("http://jabber.org/protocol/disco#items", "query"),
          new QName("jabber:iq:version", "query"),
          new QName("urn:xmpp:ping", "ping"),
          new QName("urn:xmpp:time", "time"));

  /// Whether it is the home of a guest who has a session.
  static boolean isGuest(Home home) {
    return !home.exists() && !home.sessions().isEmpty() && GuestAddress.isGuest(home.jid());
  }

  /// Whether guests and that address may send each other anything.
  boolean reaches(Jid guest, Jid other) {
    if (other.domain().equals(host.domain())) {
      return other.local() != null && (rules.chat() || other.bare().equals(guest));
    }
    return other.domain().equals(rooms) && rules.rooms();
  }

  /// Whether a guest may send a stanza that is not for its own account or for the host.
  boolean maySend(Jid guest, Stanza stanza) {
    Jid to = stanza.to();
    if (to == null) {
      return !(stanza instanceof Presence presence) || isAvailability(presence);
    }
    return reaches(guest, to)
        && switch (stanza) {
          case Presence presence -> isAvailability(presence);
          case Iq iq when iq.type() == Iq.Type.SET -> to.isFull() || isRoomChange(to, iq);
          case Stanza other -> true;
        };
  }

  /// Whether it is presence that makes no relationship with a contact.
  private static boolean isAvailability(Presence presence) {
    return switch (presence.type()) {
      case AVAILABLE, UNAVAILABLE, PROBE, ERROR -> true;
      case SUBSCRIBE, SUBSCRIBED, UNSUBSCRIBE, UNSUBSCRIBED -> false;
    };
  }

  private boolean isRoomChange(Jid to, Iq iq) {
    QName payload = iq.payloadName();
    return to.domain().equals(rooms)
        && to.local() != null
        && payload != null
        && ROOM_CHANGES.contains(payload.namespace());
  }

  /// Whether a guest gets the stanza: from an address that it may write to or from the host itself,
  /// and errors, which answer its own stanzas.
  boolean mayArrive(Jid guest, Stanza stanza) {
    Jid from = stanza.from();
    return from == null || stanza.isError() || from.equals(host) || reaches(guest, from);
  }

  /// Whether a guest may send the host that request.
  static boolean mayRequest(Iq request) {
    QName payload = request.payloadName();
    return request.type() == Iq.Type.GET && payload != null && HOST_REQUESTS.contains(payload);
  }
}
