package im.zonda.module.delegation;

import im.zonda.config.component.ComponentDelegation;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The requests of one host that components answer, by the configuration. Immutable; any thread may
/// call.
final class Delegations {
  static final String NAMESPACE = "urn:xmpp:delegation:2";

  /// Information on accounts at nodes that the server does not know (XEP-0355, section 7.2.4).
  static final String BARE_INFO = NAMESPACE + ":bare:disco#info:*";

  /// Items of accounts (section 7.2.5).
  static final String BARE_ITEMS = NAMESPACE + ":bare:disco#items:*";

  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final String ITEMS = "http://jabber.org/protocol/disco#items";

  /// A delegated namespace, and who manages it.
  record Delegated(Jid component, ComponentDelegation.Namespace namespace) {
    /// Whether a request with that payload is delegated.
    boolean matches(Element payload) {
      return namespace.attributes().stream().allMatch(name -> payload.attribute(name) != null);
    }
  }

  private final Map<String, Delegated> byNamespace = new HashMap<>();
  private final Map<Jid, List<ComponentDelegation.Namespace>> byComponent = new LinkedHashMap<>();

  /// @param delegated what is delegated, by the domains of components
  Delegations(Map<String, ComponentDelegation> delegated) {
    delegated.forEach((domain, delegation) -> {
      Jid component = Jid.of(domain);
      byComponent.put(component, delegation.delegated());
      for (ComponentDelegation.Namespace namespace : delegation.delegated()) {
        byNamespace.put(namespace.name(), new Delegated(component, namespace));
      }
    });
  }

  boolean isEmpty() {
    return byNamespace.isEmpty();
  }

  /// The components that are named.
  Set<Jid> named() {
    return byComponent.keySet();
  }

  /// The namespaces that a component manages.
  List<ComponentDelegation.Namespace> of(Jid component) {
    return byComponent.getOrDefault(component, List.of());
  }

  /// The namespaces that have features of their own: all but those of service discovery.
  List<String> described(Jid component) {
    return of(component).stream()
        .map(ComponentDelegation.Namespace::name)
        .filter(Delegations::isDescribed)
        .toList();
  }

  /// All namespaces that have features of their own.
  List<String> described() {
    List<String> all = new ArrayList<>();
    byComponent.keySet().forEach(component -> all.addAll(described(component)));
    return all;
  }

  private static boolean isDescribed(String namespace) {
    return !namespace.equals(BARE_INFO) && !namespace.equals(BARE_ITEMS);
  }

  /// Who answers a request in place of the server; null if the server does.
  @Nullable Delegated find(Element payload, Addressee addressee) {
    String namespace = payload.name().namespace();
    Delegated delegated = byNamespace.get(namespace);
    if (delegated == null && addressee != Addressee.SERVER) {
      if (namespace.equals(INFO) && payload.attribute("node") != null) {
        // No account has a node.
        delegated = byNamespace.get(BARE_INFO);
      } else if (namespace.equals(ITEMS)) {
        delegated = byNamespace.get(BARE_ITEMS);
      }
    }
    return delegated != null && delegated.matches(payload) ? delegated : null;
  }
}
