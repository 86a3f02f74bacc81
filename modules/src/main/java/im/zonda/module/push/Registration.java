package im.zonda.module.push;

import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.forms.DataForm;
import im.zonda.session.Session;
import im.zonda.session.UserAgent;
import im.zonda.store.StoreException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlReader;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// A client's registration for push notifications (XEP-0357, section 5).
///
/// @param service the push service
/// @param node the node of the client at the service; empty if it has none
/// @param resource the resource of the session that has enabled it last, or null
/// @param agent the identifier of that client (XEP-0388, section 2.3), or null
/// @param options the form with the publish options, or null
record Registration(
    Jid service,
    String node,
    @Nullable String resource,
    @Nullable String agent,
    @Nullable Element options) {
  private static final QName STORED = new QName(PushModule.NAMESPACE, "enable");

  /// Whether that session is of the client.
  boolean isOf(Session session) {
    if (resource != null && resource.equals(session.jid().resource())) {
      return true;
    }
    UserAgent other = agent == null ? null : session.get(UserAgent.KEY);
    return other != null && agent != null && agent.equals(other.id());
  }

  /// The key in the store: the same for the same service and node, of fixed length.
  String key() {
    return key(service, node);
  }

  /// The key of that service and node.
  static String key(Jid service, String node) {
    byte[] hash = HashFunction.SHA_256.hash(service + "\n" + node);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
  }

  /// The form for the store.
  byte[] stored() {
    Element.Builder element =
        Element.builder(STORED)
            .attribute("jid", service.toString())
            .attribute("node", node)
            .attribute("resource", resource)
            .attribute("agent", agent);
    if (options != null) {
      element.child(options);
    }
    ByteArraySink bytes = new ByteArraySink(512);
    XmlWriter.write(element.build(), "", bytes);
    return bytes.toByteArray();
  }

  /// Reads what [#stored] wrote.
  static Registration of(byte[] stored) {
    try {
      Element element = XmlReader.read(stored);
      String service = element.attribute("jid");
      String node = element.attribute("node");
      if (service == null || node == null) {
        throw new StoreException(
            StoreException.Category.DAMAGED, "a push registration has no address", null);
      }
      return new Registration(
          Jid.stored(service),
          node,
          element.attribute("resource"),
          element.attribute("agent"),
          element.child(DataForm.X));
    } catch (XmlException | JidFormatException e) {
      throw new StoreException(
          StoreException.Category.DAMAGED, "a push registration is not valid", e);
    }
  }

  /// Without the node and the options, which are secrets of the client.
  @Override
  public String toString() {
    return "Registration[service=" + service + "]";
  }
}
