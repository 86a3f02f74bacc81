package im.zonda.module.pubsub.request;

import im.zonda.module.IqReply;
import im.zonda.module.Xep;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;

/// The headers of notifications (XEP-0131): the identifiers of subscriptions.
@Xep(
    number = 131,
    version = "1.2",
    title = "Stanza Headers and Internet Metadata",
    note =
        "Accounts and the publish-subscribe service send `SubID`; all headers of others are"
            + " delivered as they are")
public final class ShimHeaders {
  /// The namespace, which is also the well-known node whose features are the supported headers.
  public static final String NAMESPACE = "http://jabber.org/protocol/shim";

  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final String SUB_ID = "SubID";

  private ShimHeaders() {}

  /// The `<headers/>` with the identifiers of subscriptions (XEP-0060, section 12.20).
  static Element of(List<String> ids) {
    Element.Builder headers = Element.builder(NAMESPACE, "headers");
    for (String id : ids) {
      headers.child(
          Element.builder(NAMESPACE, "header").attribute("name", SUB_ID).text(id).build());
    }
    return headers.build();
  }

  /// Answers a request for the supported headers (section 3.2).
  ///
  /// @param type of the identity, whose category is `pubsub`
  public static IqReply info(String type) {
    return IqReply.result(
        Element.builder(new QName(INFO, "query"))
            .attribute("node", NAMESPACE)
            .child(
                Element.builder(INFO, "identity")
                    .attribute("category", "pubsub")
                    .attribute("type", type)
                    .build())
            .child(
                Element.builder(INFO, "feature").attribute("var", NAMESPACE + "#" + SUB_ID).build())
            .build());
  }
}
