package im.zonda.xml;

/// Names of the namespaces of XML and of streams.
public final class XmlNamespaces {
  /// Content namespace of streams of clients (RFC 6120, section 4.8.2).
  public static final String CLIENT = "jabber:client";

  /// Content namespace of streams between servers (RFC 6120, section 4.8.2).
  public static final String SERVER = "jabber:server";

  /// Content namespace of streams of external components (XEP-0114).
  public static final String COMPONENT = "jabber:component:accept";

  /// Namespace of the stream header, of stream features and of stream errors (RFC 6120, section
  /// 4.8.1).
  public static final String STREAM = "http://etherx.jabber.org/streams";

  /// Namespace that the prefix `xml` is bound to in every document.
  public static final String XML = "http://www.w3.org/XML/1998/namespace";

  /// Namespace of namespace declarations. No element or attribute may use it.
  public static final String XMLNS = "http://www.w3.org/2000/xmlns/";

  private XmlNamespaces() {}

  /// Whether it is a content namespace of streams: that of clients, servers or components.
  public static boolean isContent(String namespace) {
    return namespace.startsWith("jabber:")
        && switch (namespace) {
          case CLIENT, SERVER, COMPONENT -> true;
          default -> false;
        };
  }
}
