package im.zonda.account;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// The request of a domain to forget one of its users, whose account was removed: the next owner of
/// the address must not inherit what the user had been given. It is sent to rooms, to nodes and to
/// the accounts of contacts. A domain can ask that for its own users only.
public final class RemovedUser {
  private static final String NAMESPACE = "urn:zonda:accounts:0";

  /// The payload for a room: its affiliation and hats.
  public static final QName ROOM = new QName(NAMESPACE, "removed-occupant");

  /// The payload for the owner of a node: the affiliation and the subscriptions.
  public static final QName NODE = new QName(NAMESPACE, "removed-subscriber");

  /// The payload for a contact's account: subscriptions, requests and approvals.
  public static final QName CONTACT = new QName(NAMESPACE, "removed-contact");

  private RemovedUser() {}

  /// The request.
  ///
  /// @param payload what it is about
  /// @param node the name of the node if it is about one, otherwise null
  public static Iq request(QName payload, Jid user, Jid to, @Nullable String node, String id) {
    return Iq.of(
        Iq.Type.SET,
        user.domainJid(),
        to,
        id,
        Element.builder(payload).attribute("jid", user.toString()).attribute("node", node).build());
  }

  /// The bare address of the removed user; null if the sender cannot ask that.
  public static @Nullable Jid read(Iq request) {
    Element payload = request.payload();
    String jid = payload == null ? null : payload.attribute("jid");
    try {
      Jid user = jid == null ? null : Jid.stored(jid).bare();
      return user != null && user.local() != null && user.domainJid().equals(request.from())
          ? user
          : null;
    } catch (JidFormatException e) {
      return null;
    }
  }
}
