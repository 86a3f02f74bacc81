package im.zonda.module.delegation;

import im.zonda.jid.Jid;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The features that components report for the namespaces that they manage, for the service
/// discovery of the host and its accounts (XEP-0355, section 7.2). Asked for when a component
/// connects, and forgotten when it has gone. Any thread may call.
final class ManagedFeatures {
  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final QName QUERY = new QName(INFO, "query");
  private static final QName FORM = new QName("jabber:x:data", "x");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// Information on one namespace.
  record Described(List<DiscoIdentity> identities, List<String> features, List<Element> forms) {}

  private record Key(Jid component, String node) {}

  private final ModuleContext context;
  private final ExternalComponents components;
  private final Map<Key, Described> known = new ConcurrentHashMap<>();

  private final Set<Jid> asked = ConcurrentHashMap.newKeySet();

  ManagedFeatures(ModuleContext context, ExternalComponents components) {
    this.context = context;
    this.components = components;
  }

  /// The node with what the host has.
  static String nodeOfHost(String namespace) {
    return Delegations.NAMESPACE + "::" + namespace;
  }

  /// The node with what accounts have.
  static String nodeOfAccounts(String namespace) {
    return Delegations.NAMESPACE + ":bare:" + namespace;
  }

  /// Asks a component about its namespaces, unless it has been asked since it connected.
  void ask(Jid component, List<String> namespaces) {
    if (!asked.add(component)) {
      return;
    }
    for (String namespace : namespaces) {
      ask(component, nodeOfHost(namespace));
      ask(component, nodeOfAccounts(namespace));
    }
  }

  private void ask(Jid component, String node) {
    Iq request =
        Iq.of(
            Iq.Type.GET,
            context.domain(),
            component,
            context.ids().next(),
            Element.builder(QUERY).attribute("node", node).build());
    components.request(
        request,
        component,
        PATIENCE,
        answer -> {
          Element query = answer.type() == Iq.Type.RESULT ? answer.payload(QUERY) : null;
          if (query != null && components.isConnected(component)) {
            known.put(new Key(component, node), read(query));
          }
        });
  }

  private static Described read(Element query) {
    List<DiscoIdentity> identities = new ArrayList<>();
    List<String> features = new ArrayList<>();
    List<Element> forms = new ArrayList<>();
    for (Element child : query.children()) {
      String category = child.attribute("category");
      String type = child.attribute("type");
      String feature = child.attribute("var");
      if (child.is(INFO, "identity") && category != null && type != null) {
        identities.add(new DiscoIdentity(category, type, child.attribute("name")));
      } else if (child.is(INFO, "feature") && feature != null) {
        features.add(feature);
      } else if (child.name().equals(FORM)) {
        forms.add(child);
      }
    }
    return new Described(identities, features, forms);
  }

  /// Forgets what a component has said.
  void forget(Jid component) {
    asked.remove(component);
    known.keySet().removeIf(key -> key.component().equals(component));
  }

  /// What components have said of a set of nodes.
  List<Described> at(Set<String> nodes) {
    return known.entrySet().stream()
        .filter(entry -> nodes.contains(entry.getKey().node()))
        .sorted((a, b) -> a.getKey().node().compareTo(b.getKey().node()))
        .map(Map.Entry::getValue)
        .toList();
  }
}
