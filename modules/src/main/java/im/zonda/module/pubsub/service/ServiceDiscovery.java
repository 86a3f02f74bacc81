package im.zonda.module.pubsub.service;

import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.module.mam.ArchiveQueries;
import im.zonda.module.pubsub.attachment.Attachments;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.NodePlace;
import im.zonda.module.pubsub.node.SubscriptionLists;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.module.pubsub.owner.ShimHeaders;
import im.zonda.module.pubsub.request.PendingRequests;
import im.zonda.module.pubsub.request.PubSubRequests;
import im.zonda.module.pubsub.request.SocialFeed;
import im.zonda.module.pubsub.request.TypeFilter;
import im.zonda.module.rsm.OrderRequest;
import im.zonda.module.rsm.ResultSetException;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.PubSubStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Service discovery of the service itself (XEP-0060, sections 5.1 and 5.2), and of its command.
///
/// Nodes with the access model `whitelist` are not listed; those who are on the list know them by
/// their affiliations.
final class ServiceDiscovery {
  static final String TITLE = "Publish-Subscribe";
  static final QName INFO = new QName("http://jabber.org/protocol/disco#info", "query");
  static final QName ITEMS = new QName("http://jabber.org/protocol/disco#items", "query");

  private static final int PAGE = 100;

  private static final List<String> FEATURES =
      List.of("collections", "get-pending", "multi-collections");

  private final ServiceNodes nodes;

  ServiceDiscovery(ServiceNodes nodes) {
    this.nodes = nodes;
  }

  /// Whether a discovery request is for the command or the supported headers, and not for a node of
  /// that name.
  static boolean isOfService(String node) {
    return node.equals(PendingRequests.COMMANDS)
        || node.equals(PendingRequests.NODE)
        || node.equals(ShimHeaders.NAMESPACE);
  }

  /// What the service or its command is.
  IqReply info(@Nullable String node) {
    return switch (node) {
      case null -> {
        Element.Builder info = query(INFO, null, "pubsub", "service", TITLE);
        Stream.concat(
                Stream.of(
                    Attachments.FEATURE,
                    INFO.namespace(),
                    ITEMS.namespace(),
                    OrderRequest.NAMESPACE,
                    OrderRequest.feature(PubSubXml.NAMESPACE),
                    PendingRequests.COMMANDS,
                    ResultSetRequest.NAMESPACE,
                    PubSubService.PING.namespace(),
                    SubscriptionLists.NAMESPACE,
                    ShimHeaders.NAMESPACE,
                    PubSubXml.NAMESPACE,
                    TypeFilter.NAMESPACE),
                Stream.concat(
                    Stream.concat(archiveFeatures(), SocialFeed.FEATURES.stream()),
                    Stream.concat(FEATURES.stream(), PubSubRequests.FEATURES.stream())
                        .map(each -> PubSubXml.NAMESPACE + "#" + each)))
            .sorted()
            .forEach(each -> info.child(feature(each)));
        yield IqReply.result(info.build());
      }
      case PendingRequests.COMMANDS ->
          IqReply.result(query(INFO, node, "automation", "command-list", null).build());
      case PendingRequests.NODE ->
          IqReply.result(
              query(INFO, node, "automation", "command-node", COMMAND_TITLE)
                  .child(feature(PendingRequests.COMMANDS))
                  .child(feature(DataForm.NAMESPACE))
                  .build());
      case ShimHeaders.NAMESPACE -> ShimHeaders.info("service", true);
      default -> IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    };
  }

  private Stream<String> archiveFeatures() {
    return ArchiveQueries.available(nodes.context().config())
        ? Stream.of(
            ArchiveQueries.QUERY.namespace(),
            OrderRequest.feature(ArchiveQueries.QUERY.namespace()))
        : Stream.empty();
  }

  private static final String COMMAND_TITLE = "Get pending subscription requests";

  private static Element.Builder query(
      QName name, @Nullable String node, String category, String type, @Nullable String title) {
    return Element.builder(name)
        .attribute("node", node)
        .child(
            Element.builder(INFO.namespace(), "identity")
                .attribute("category", category)
                .attribute("type", type)
                .attribute("name", title)
                .build());
  }

  private static Element feature(String name) {
    return Element.builder(INFO.namespace(), "feature").attribute("var", name).build();
  }

  /// The nodes of the service by pages, or its command.
  IqReply items(Element request) {
    String node = request.attribute("node");
    if (node != null) {
      return node.equals(PendingRequests.COMMANDS)
          ? IqReply.result(
              Element.builder(ITEMS)
                  .attribute("node", node)
                  .child(item(PendingRequests.NODE, COMMAND_TITLE))
                  .build())
          : IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    return nodes(request, null);
  }

  /// The nodes of a collection by pages (XEP-0248, section 4.2).
  IqReply children(Element request, String collection) {
    return nodes(request, collection);
  }

  /// The nodes of a collection, or those in none.
  private IqReply nodes(Element request, @Nullable String collection) {
    TypeFilter filter = TypeFilter.of(request);
    if (filter == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    Element set = request.child(ResultSetRequest.SET);
    ResultSetRequest page;
    try {
      page = ResultSetRequest.of(set, PAGE).forwards();
    } catch (ResultSetException e) {
      return e.reply();
    }
    List<Listed> found = listed(collection, page.after(), page.max() + 1, filter);
    List<Listed> taken = new ArrayList<>(found);
    if (found.size() > page.max()) {
      taken.removeLast();
    }
    Element.Builder answer = Element.builder(ITEMS).attribute("node", collection);
    taken.forEach(each -> answer.child(item(each.name, each.title.isEmpty() ? null : each.title)));
    if (set != null || found.size() > taken.size()) {
      boolean empty = taken.isEmpty();
      answer.child(
          ResultSetRequest.result(
              empty ? null : taken.getFirst().name, empty ? null : taken.getLast().name));
    }
    return IqReply.result(answer.build());
  }

  private record Listed(String name, String title) {}

  /// The next nodes that the filter lists, at most `limit`.
  private List<Listed> listed(
      @Nullable String collection, @Nullable String after, int limit, TypeFilter filter) {
    List<Listed> listed = new ArrayList<>();
    String last = after;
    List<PubSubStore.Node> rows;
    do {
      int most = Math.max(limit, PAGE);
      rows =
          collection == null
              ? nodes.store().listed(nodes.domain(), last, most)
              : nodes.store().children(nodes.domain(), collection, last, most);
      for (PubSubStore.Node row : rows) {
        NodeConfig config = NodeConfig.of(row.settings(), NodePlace.SERVICE.defaults());
        if (row.listed() && filter.lists(config) && listed.size() < limit) {
          listed.add(new Listed(row.name(), config.value(NodeOption.TITLE)));
        }
        last = row.name();
      }
    } while (listed.size() < limit && rows.size() == Math.max(limit, PAGE));
    return listed;
  }

  private Element item(String node, @Nullable String title) {
    return Element.builder(ITEMS.namespace(), "item")
        .attribute("jid", nodes.domain().toString())
        .attribute("node", node)
        .attribute("name", title)
        .build();
  }
}
