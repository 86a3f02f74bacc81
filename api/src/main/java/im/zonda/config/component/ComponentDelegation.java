package im.zonda.config.component;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.util.ArrayList;
import java.util.List;

/// Namespaces whose IQ requests an external component answers in place of the server (XEP-0355).
public record ComponentDelegation(
    @Setting(
            value =
                "hosts of this server whose requests are delegated; empty is the host that the"
                    + " component's domain is below",
            form = Form.DOMAIN)
        List<String> hosts,
    @Setting(
            "namespaces of IQ requests that the component answers, as `\"urn:xmpp:mam:2\"`; with"
                + " names of attributes behind, as `\"urn:xmpp:mam:2 node\"`, only requests that"
                + " have all of these")
        List<String> namespaces) {
  /// Nothing is delegated.
  public static final ComponentDelegation NONE = new ComponentDelegation(List.of(), List.of());

  /// A delegated namespace.
  ///
  /// @param attributes names of the attributes that the payload of a request must have
  public record Namespace(String name, List<String> attributes) {}

  /// Copies the lists.
  public ComponentDelegation {
    hosts = List.copyOf(hosts);
    namespaces = List.copyOf(namespaces);
  }

  /// Whether requests of a host are delegated to the component with that domain.
  boolean covers(String component, String host) {
    return Components.covers(hosts, component, host);
  }

  /// The namespaces, in the order of the settings.
  public List<Namespace> delegated() {
    List<Namespace> all = new ArrayList<>();
    for (String written : namespaces) {
      List<String> words = List.of(written.strip().split("\\s+"));
      all.add(new Namespace(words.getFirst(), List.copyOf(words.subList(1, words.size()))));
    }
    return all;
  }
}
