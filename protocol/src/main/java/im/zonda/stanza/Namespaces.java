package im.zonda.stanza;

/// Namespaces of RFC 6120. Those of an extension belong to its module.
public final class Namespaces {
  public static final String CLIENT = "jabber:client";
  public static final String SERVER = "jabber:server";
  public static final String COMPONENT = "jabber:component:accept";
  public static final String STREAM = "http://etherx.jabber.org/streams";
  public static final String STREAM_ERRORS = "urn:ietf:params:xml:ns:xmpp-streams";
  public static final String STANZA_ERRORS = "urn:ietf:params:xml:ns:xmpp-stanzas";
  public static final String TLS = "urn:ietf:params:xml:ns:xmpp-tls";
  public static final String SASL = "urn:ietf:params:xml:ns:xmpp-sasl";
  public static final String BIND = "urn:ietf:params:xml:ns:xmpp-bind";
  public static final String SESSION = "urn:ietf:params:xml:ns:xmpp-session";
  public static final String XML = "http://www.w3.org/XML/1998/namespace";

  private Namespaces() {}
}
