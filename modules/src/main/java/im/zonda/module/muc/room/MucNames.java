package im.zonda.module.muc.room;

import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;

/// Namespaces and element names of rooms.
public final class MucNames {
  public static final String MUC = "http://jabber.org/protocol/muc";
  public static final String USER = MUC + "#user";
  public static final String ADMIN = MUC + "#admin";
  public static final String OWNER = MUC + "#owner";
  public static final QName ENTER = new QName(MUC, "x");
  public static final QName X_USER = new QName(USER, "x");
  public static final QName SUBJECT = new QName(Namespaces.CLIENT, "subject");
  public static final QName DELAY = new QName("urn:xmpp:delay", "delay");
  public static final QName OCCUPANT_ID = new QName("urn:xmpp:occupant-id:0", "occupant-id");

  /// A `<destroy/>` element without details (XEP-0045, section 10.9).
  public static final Element DESTROY = Element.of(USER, "destroy");

  /// Marks what concerns only sessions that are online (XEP-0334).
  public static final Element NO_STORE = Element.of("urn:xmpp:hints", "no-store");

  /// The namespace of message retraction (XEP-0424).
  public static final String RETRACTION = "urn:xmpp:message-retract:1";

  public static final QName RETRACT = new QName(RETRACTION, "retract");
  public static final QName RETRACTED = new QName(RETRACTION, "retracted");

  /// The namespace of moderation (XEP-0425).
  public static final String MODERATION = "urn:xmpp:message-moderate:1";

  public static final QName MODERATED = new QName(MODERATION, "moderated");

  private MucNames() {}
}
