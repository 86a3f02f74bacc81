package im.zonda.app.settings;

import im.zonda.config.ServerConfig;
import im.zonda.config.component.ComponentDelegation;
import im.zonda.config.component.ComponentPrivilege;
import im.zonda.config.component.ComponentPrivilege.PresenceOf;
import im.zonda.config.component.Components;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// Checks of the settings of external components.
final class ComponentChecks {
  /// The namespace of XEP-0355, which must not be delegated (section 8).
  private static final String DELEGATION = "urn:xmpp:delegation:2";

  private final ServerConfig config;
  private final Components components;
  private final BiConsumer<String, String> report;

  /// @param report gets the dotted path and the text of each problem
  ComponentChecks(ServerConfig config, BiConsumer<String, String> report) {
    this.config = config;
    this.components = config.component();
    this.report = report;
  }

  void run() {
    secrets();
    new TreeMap<>(components.privilege()).forEach(this::privilege);
    new TreeMap<>(components.delegation()).forEach(this::delegation);
    config.hosts().forEach(this::delegatedOnce);
  }

  /// A component's domain must not be served by this server itself.
  private void secrets() {
    for (Map.Entry<String, String> entry : components.secret().entrySet()) {
      String path = "component.secret." + entry.getKey();
      if (entry.getValue().isEmpty()) {
        report.accept(path, path + " is empty");
      } else if (entry.getKey().equals("*")) {
        report.accept(path, path + " must name a domain, or *. and a domain");
      }
    }
    for (String domain : components.domains()) {
      String path = "component.secret." + domain;
      if (config.hosts().contains(domain)) {
        report.accept(path, path + ": " + domain + " is a host of this server");
      }
      for (String host : config.hosts()) {
        if (config.serviceDomains(host).contains(domain)) {
          report.accept(
              path,
              path
                  + ": "
                  + domain
                  + " is "
                  + ServiceNames.of(config, host, domain)
                  + " of "
                  + host
                  + "; "
                  + ServiceNames.prefixKey(config, host, domain)
                  + " changes the name of the service");
        }
      }
    }
  }

  private void privilege(String component, ComponentPrivilege privilege) {
    String path = "component.privilege." + component;
    component(path, component, privilege.hosts());
    if (privilege.presence() == PresenceOf.ROSTER && !privilege.roster().get()) {
      report.accept(
          path + ".presence",
          path + ".presence is \"roster\", so roster must be \"get\" or \"both\"");
    }
  }

  private void delegation(String component, ComponentDelegation delegation) {
    String path = "component.delegation." + component;
    component(path, component, delegation.hosts());
    for (ComponentDelegation.Namespace namespace : delegation.delegated()) {
      if (namespace.name().isEmpty() || namespace.name().equals(DELEGATION)) {
        report.accept(
            path + ".namespaces", path + ".namespaces: " + namespace.name() + " is not delegated");
      }
    }
  }

  private void component(String path, String component, List<String> hosts) {
    if (components.secretOf(component) == null) {
      report.accept(path, path + ": component.secret has no secret for " + component);
    }
    for (String host : hosts) {
      if (!config.hosts().contains(host)) {
        report.accept(path + ".hosts", path + ".hosts: " + host + " is no host of this server");
      }
    }
    if (hosts.isEmpty()
        && config.hosts().stream().noneMatch(host -> component.endsWith("." + host))) {
      report.accept(path, path + ".hosts must be set, because " + component + " is below no host");
    }
  }

  /// One component answers the requests of a namespace.
  private void delegatedOnce(String host) {
    Set<String> seen = new HashSet<>();
    components
        .delegationsAt(host)
        .forEach((component, delegation) -> {
          String path = "component.delegation." + component + ".namespaces";
          for (ComponentDelegation.Namespace namespace : delegation.delegated()) {
            if (!seen.add(namespace.name())) {
              report.accept(
                  path, path + ": " + namespace.name() + " is delegated twice for " + host);
            }
          }
        });
  }
}
