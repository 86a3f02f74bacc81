package im.zonda.module.contact;

import im.zonda.federation.ServerLinks;
import im.zonda.federation.ServerLinks.Link;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Scheduler;
import im.zonda.module.Xep;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Publishes the domain and its connections with other servers in a node of the host's
/// publish-subscribe service. Other domains are named if they consent ([Consents]).
@Xep(
    number = 485,
    version = "1.0.0",
    title = "PubSub Server Information",
    note = "If `services.pubsub.server-info` is on. In a cluster, with the connections of one node")
final class ServerInfo {
  static final String NAMESPACE = "urn:xmpp:serverinfo:0";

  /// The node; only the host and admins of the service may create it.
  static final String NODE = "serverinfo";

  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String FORMS = "jabber:x:data";
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration PERIOD = Duration.ofMinutes(15);

  /// Other domains that are published.
  private static final int MOST = 1_000;

  private final ModuleContext context;
  private final Jid service;
  private final ServerLinks links;
  private final Consents consents;

  ServerInfo(ModuleContext context) {
    this.context = context;
    this.service = service(context);
    this.links = context.port(ServerLinks.class);
    this.consents = new Consents(context);
  }

  private static Jid service(ModuleContext context) {
    String prefix = context.config().services().pubsub().prefix();
    return Jid.of(null, prefix + "." + context.domain().domain(), null);
  }

  /// The URI of the node (XEP-0060, section 12.22).
  static String uri(ModuleContext context) {
    return "xmpp:" + service(context) + "?;node=" + NODE;
  }

  Scheduler.Cancellable start() {
    return context.everyAtOneNode(FIRST, PERIOD, this::run);
  }

  /// Publishes, and again if other domains have then said whether they consent.
  private void run() {
    Map<String, List<Link>> remote = remote();
    publish(remote);
    consents.ask(remote.keySet(), () -> publish(remote));
  }

  /// Publishes connections; creates the node if it does not exist.
  private void publish(Map<String, List<Link>> remote) {
    Element item =
        Element.builder(PUBSUB, "item").attribute("id", "current").child(info(remote)).build();
    Element publish =
        Element.builder(PUBSUB, "publish").attribute("node", NODE).child(item).build();
    Element options =
        Element.builder(FORMS, "x")
            .attribute("type", "submit")
            .child(field("FORM_TYPE", PUBSUB + "#publish-options"))
            .child(field("pubsub#access_model", "open"))
            .child(field("pubsub#max_items", "1"))
            .child(field("pubsub#persist_items", "true"))
            .build();
    Element request =
        Element.builder(new QName(PUBSUB, "pubsub"))
            .child(publish)
            .child(Element.builder(PUBSUB, "publish-options").child(options).build())
            .build();
    context.send(Iq.of(Iq.Type.SET, context.domain(), service, context.ids().next(), request));
  }

  private static Element field(String name, String value) {
    return Element.builder(FORMS, "field")
        .attribute("var", name)
        .child(Element.text(new QName(FORMS, "value"), value))
        .build();
  }

  /// The streams of this host by the other domain.
  private Map<String, List<Link>> remote() {
    String local = context.domain().domain();
    Map<String, List<Link>> all =
        links.links().stream()
            .filter(link -> link.local().equals(local))
            .collect(Collectors.groupingBy(Link::remote, TreeMap::new, Collectors.toList()));
    Map<String, List<Link>> some = new LinkedHashMap<>();
    all.entrySet().stream().limit(MOST).forEach(each -> some.put(each.getKey(), each.getValue()));
    return some;
  }

  private Element info(Map<String, List<Link>> remote) {
    Element.Builder federation = Element.builder(NAMESPACE, "federation");
    remote.forEach(
        (domain, all) -> federation.child(remoteDomain(consents.has(domain) ? domain : null, all)));
    return Element.builder(NAMESPACE, "serverinfo")
        .child(
            Element.builder(NAMESPACE, "domain")
                .attribute("name", context.domain().domain())
                .child(federation.build())
                .build())
        .build();
  }

  /// @param name null if it is not to be named
  private static Element remoteDomain(@Nullable String name, List<Link> links) {
    Element.Builder domain = Element.builder(NAMESPACE, "remote-domain").attribute("name", name);
    for (Link link : links) {
      domain.child(
          Element.builder(NAMESPACE, "connection")
              .attribute("type", link.direction().name().toLowerCase(Locale.ROOT))
              .build());
    }
    return domain.build();
  }
}
