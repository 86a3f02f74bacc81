package im.zonda.module.pubsub.owner;

import im.zonda.module.IqReply;
import im.zonda.module.Xep;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The headers of notifications (XEP-0131): the identifiers of subscriptions.
@Xep(
    number = 131,
    version = "1.2",
    title = "Stanza Headers and Internet Metadata",
    note =
        "Accounts send `SubID`, the publish-subscribe service also `Collection`; all headers of"
            + " others are delivered as they are")
public final class ShimHeaders {
  /// The namespace, which is also the well-known node whose features are the supported headers.
  public static final String NAMESPACE = "http://jabber.org/protocol/shim";

  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final String SUB_ID = "SubID";
  private static final String COLLECTION = "Collection";

  private ShimHeaders() {}

  /// The `<headers/>` with the identifiers of subscriptions (XEP-0060, section 12.20), after those
  /// that there are.
  public static Element with(@Nullable Element before, List<String> ids) {
    Element.Builder headers = Element.builder(NAMESPACE, "headers");
    if (before != null) {
      before.children().forEach(headers::child);
    }
    ids.forEach(id -> headers.child(header(SUB_ID, id)));
    return headers.build();
  }

  /// The `<headers/>` with the collection whose subscription a notification is for (XEP-0248,
  /// section 4.3.1).
  public static Element ofCollection(String name) {
    return Element.builder(NAMESPACE, "headers").child(header(COLLECTION, name)).build();
  }

  private static Element header(String name, String value) {
    return Element.builder(NAMESPACE, "header").attribute("name", name).text(value).build();
  }

  /// Answers a request for the supported headers (section 3.2).
  ///
  /// @param type of the identity, whose category is `pubsub`
  /// @param collections whether there are collections
  public static IqReply info(String type, boolean collections) {
    Element.Builder info =
        Element.builder(new QName(INFO, "query"))
            .attribute("node", NAMESPACE)
            .child(
                Element.builder(INFO, "identity")
                    .attribute("category", "pubsub")
                    .attribute("type", type)
                    .build());
    for (String name : collections ? List.of(COLLECTION, SUB_ID) : List.of(SUB_ID)) {
      info.child(Element.builder(INFO, "feature").attribute("var", NAMESPACE + "#" + name).build());
    }
    return IqReply.result(info.build());
  }
}
