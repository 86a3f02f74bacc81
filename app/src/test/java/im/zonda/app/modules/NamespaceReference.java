package im.zonda.app.modules;

import im.zonda.app.StandardModules;
import im.zonda.host.VirtualHost;
import im.zonda.module.Addressee;
import im.zonda.module.DomainService;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The page that says which package answers which namespace of IQ requests.
public final class NamespaceReference {
  private static final String HEAD =
      """
      # Who answers a namespace

      The package that answers IQ requests of a namespace, and for whom: the host (`server`), the
      sender's own account, another account. Requests to a service, such as a room, are answered by
      the package of the service. This page is made from what the modules declare; do not edit it.

      | Namespace | Package | For |
      | --- | --- | --- |
      """;

  private NamespaceReference() {}

  /// The page.
  public static String markdown() throws IOException {
    Map<String, Map<String, Set<String>>> rows = new TreeMap<>();
    List<String> services = new ArrayList<>();
    try (TestServer server = ServerPlan.of(StandardModules::create).startInMemory()) {
      VirtualHost host = server.server().hosts().getFirst();
      for (VirtualHost.Answered each : host.answered()) {
        rows.computeIfAbsent(each.request().payload().namespace(), _ -> new TreeMap<>())
            .computeIfAbsent(each.module().getClass().getPackageName(), _ -> new TreeSet<>())
            .add(word(each.request().addressee()));
      }
      for (DomainService<?> service : host.services()) {
        if (service.getClass().getPackageName().endsWith(".disco")) {
          continue; // one that another module has named only
        }
        String prefix = service.domain().domain();
        services.add(
            "| everything at `%s.` | `%s` | service |\n"
                .formatted(
                    prefix.substring(0, prefix.indexOf('.')), service.getClass().getPackageName()));
      }
    }
    StringBuilder page = new StringBuilder(HEAD);
    rows.forEach((namespace, packages) ->
        packages.forEach((name, addressees) ->
            page.append(
                "| `%s` | `%s` | %s |\n"
                    .formatted(namespace, name, String.join(", ", addressees)))));
    services.stream().sorted().forEach(page::append);

    return page.toString();
  }

  private static String word(Addressee addressee) {
    return addressee.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
