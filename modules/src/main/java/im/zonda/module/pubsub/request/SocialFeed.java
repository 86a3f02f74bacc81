package im.zonda.module.pubsub.request;

import im.zonda.module.Xep;
import im.zonda.module.forms.DataForm;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Nodes with posts, whose type says which profile they follow (XEP-0472, section 5).
@Xep(
    number = 472,
    version = "0.2.1",
    title = "Pubsub Social Feed",
    note =
        "The base, microblog and gallery profiles. Notifications have no bodies, and posts get no"
            + " links")
public final class SocialFeed {
  private static final String BASE = "urn:xmpp:pubsub-social-feed:1";
  private static final String GALLERY = "urn:xmpp:pubsub-social-feed:gallery:1";
  private static final String MICROBLOG = "urn:xmpp:microblog:0";
  private static final String ATOM = "http://www.w3.org/2005/Atom";
  private static final QName ENTRY = new QName(ATOM, "entry");

  /// The features of accounts and services that have such nodes.
  public static final List<String> FEATURES = List.of(GALLERY, BASE);

  private static final Set<String> PROFILES = Set.of(BASE, GALLERY, MICROBLOG);

  /// The configuration of the base profile, which the others include.
  private static final Map<NodeOption, String> OPTIONS =
      Map.of(
          NodeOption.NOTIFY_RETRACT,
          "true",
          NodeOption.MAX_ITEMS,
          NodeConfig.MAX,
          NodeOption.PERSIST_ITEMS,
          "true",
          NodeOption.SEND_LAST_PUBLISHED_ITEM,
          "never",
          NodeOption.DELIVER_PAYLOADS,
          "false");

  private SocialFeed() {}

  /// The defaults of a node that is created with these options: those of its profile, if its type
  /// names one.
  static NodeConfig defaults(NodeConfig usual, @Nullable DataForm options) {
    DataForm.Field type = options == null ? null : options.field(NodeOption.TYPE.field());
    String name = type == null ? null : type.value();
    if (name == null || !PROFILES.contains(name)) {
      return usual;
    }
    NodeConfig config = usual;
    for (Map.Entry<NodeOption, String> each : OPTIONS.entrySet()) {
      NodeConfig changed = config.with(each.getKey(), List.of(each.getValue()));
      config = changed == null ? config : changed;
    }
    return config;
  }

  /// Whether a node may have an item: a post in a gallery has a picture attached (section 5.3).
  static boolean accepts(Node node, Element payload) {
    return !node.config().value(NodeOption.TYPE).equals(GALLERY)
        || !payload.name().equals(ENTRY)
        || payload.children().stream().anyMatch(SocialFeed::isPicture);
  }

  private static boolean isPicture(Element child) {
    String type = child.attribute("type");
    return child.is(ATOM, "link")
        && "enclosure".equals(child.attribute("rel"))
        && child.attribute("href") != null
        && type != null
        && type.startsWith("image/");
  }
}
