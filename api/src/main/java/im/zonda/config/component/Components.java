package im.zonda.config.component;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// External components (XEP-0114).
public record Components(
    @Setting(
            value =
                "addresses to listen on for components; empty accepts none. Streams of components"
                    + " are not encrypted",
            form = Form.ADDRESS)
        List<String> listen,
    @Setting(
            value =
                "time that stanzas wait for a component that is not connected or does not read,"
                    + " before they are returned to their senders as errors",
            min = 100,
            max = 600_000)
        Duration giveUp,
    @Setting(
            value =
                "maximum size of the stanzas that wait for the components of one domain; further"
                    + " ones are returned to their senders as errors",
            form = Form.BYTES,
            min = 65_536)
        int queueBytes,
    @Setting(
            value = "maximum number of connections for one domain, which share its users",
            min = 1,
            max = 1_000)
        int connections,
    @Setting(
            value =
                "secrets of components by domain; `*.example.org` is every domain below"
                    + " example.org",
            form = Form.SECRET)
        Map<String, String> secret,
    @Setting(
            "what a component may do on behalf of accounts (XEP-0356), by its domain; may be changed"
                + " while the server runs")
        Map<String, ComponentPrivilege> privilege,
    @Setting(
            "requests that a component answers in place of the server (XEP-0355), by its domain; may"
                + " be changed while the server runs")
        Map<String, ComponentDelegation> delegation) {
  /// No components.
  public static final Components DEFAULTS =
      new Components(
          List.of(), Duration.ofSeconds(30), 1_048_576, 16, Map.of(), Map.of(), Map.of());

  private static final String BELOW = "*.";

  /// Copies the collections.
  public Components {
    listen = List.copyOf(listen);
    secret = Map.copyOf(secret);
    privilege = Map.copyOf(privilege);
    delegation = Map.copyOf(delegation);
  }

  /// Components that only have secrets.
  public Components(
      List<String> listen,
      Duration giveUp,
      int queueBytes,
      int connections,
      Map<String, String> secret) {
    this(listen, giveUp, queueBytes, connections, secret, Map.of(), Map.of());
  }

  /// A copy with what components may do on behalf of accounts.
  public Components withPrivilege(Map<String, ComponentPrivilege> other) {
    return new Components(listen, giveUp, queueBytes, connections, secret, other, delegation);
  }

  /// A copy with the requests that components answer.
  public Components withDelegation(Map<String, ComponentDelegation> other) {
    return new Components(listen, giveUp, queueBytes, connections, secret, privilege, other);
  }

  /// What components may do on behalf of the accounts of a host, by their domains in alphabetical
  /// order.
  public SortedMap<String, ComponentPrivilege> privilegesAt(String host) {
    SortedMap<String, ComponentPrivilege> all = new TreeMap<>(privilege);
    all.entrySet().removeIf(each -> !each.getValue().covers(each.getKey(), host));
    return all;
  }

  /// The requests of a host that components answer, by their domains in alphabetical order.
  public SortedMap<String, ComponentDelegation> delegationsAt(String host) {
    SortedMap<String, ComponentDelegation> all = new TreeMap<>(delegation);
    all.entrySet().removeIf(each -> !each.getValue().covers(each.getKey(), host));
    return all;
  }

  /// Whether `hosts`, the setting of a component with that domain, names a host.
  static boolean covers(List<String> hosts, String component, String host) {
    return hosts.isEmpty() ? component.endsWith("." + host) : hosts.contains(host);
  }

  /// The secret of the component with that prepared domain; null if the domain is none of a
  /// component. Of several patterns, the longest counts.
  public @Nullable String secretOf(String domain) {
    String own = secret.get(domain);
    for (int dot = domain.indexOf('.');
        own == null && dot >= 0;
        dot = domain.indexOf('.', dot + 1)) {
      own = secret.get("*" + domain.substring(dot));
    }
    return own;
  }

  /// The domains that are named in full, in alphabetical order.
  public List<String> domains() {
    return secret.keySet().stream().filter(name -> !name.startsWith(BELOW)).sorted().toList();
  }

  /// Without the secrets.
  @Override
  public String toString() {
    return "Components[listen=" + listen + ", domains=" + secret.keySet() + "]";
  }
}
