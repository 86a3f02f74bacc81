package im.zonda.app.doctor;

import im.zonda.app.doctor.machine.MachineFacts;
import im.zonda.app.doctor.machine.ProcessFacts;
import im.zonda.app.finding.Finding;
import im.zonda.net.Listener;
import im.zonda.net.Listener.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Checks of the addresses that the server listens on.
final class ListenerChecks {
  /// CAP_NET_BIND_SERVICE.
  private static final int BIND_SERVICE = 10;

  private ListenerChecks() {}

  /// Whether an address of a running server accepts connections.
  static Finding accepts(ListenerFacts facts) {
    Listener listener = facts.listener();
    String name = listener + " (" + listener.kind().key() + ")";
    return facts.failure() == null
        ? Finding.ok("port", name + " accepts connections")
        : Finding.problem(
            "port",
            name + ": " + facts.failure(),
            "ss -ltnp | grep :" + listener.address().getPort(),
            "another program may have the port, or a firewall of this machine rejects connections");
  }

  /// Whether the user of the process may listen there.
  static List<Finding> permission(
      List<Listener> listeners, MachineFacts machine, ProcessFacts process) {
    Long first = machine.firstFreePort();
    Long user = process.user();
    Long capabilities = process.capabilities();
    List<String> low =
        listeners.stream()
            .filter(each ->
                first != null && each.address().getPort() != 0 && each.address().getPort() < first)
            .map(each -> each + " (" + each.kind().key() + ")")
            .toList();
    if (first == null) {
      return List.of(
          Finding.unknown("port", "which ports need a permission: no ip_unprivileged_port_start"));
    }
    if (low.isEmpty()) {
      return List.of();
    }
    if (user == null || capabilities == null) {
      return List.of(
          Finding.unknown("port", "whether this user may use " + String.join(", ", low)));
    }
    boolean may = user == 0 || (capabilities >> BIND_SERVICE & 1) == 1;
    return List.of(
        may
            ? Finding.ok("port", "this user may use " + String.join(", ", low))
            : Finding.problem(
                "port",
                "this user may not use " + String.join(", ", low) + ", which are below " + first,
                "in zonda.service, section [Service]:"
                    + " AmbientCapabilities=CAP_NET_BIND_SERVICE"));
  }

  /// Kinds of addresses that only this machine reaches, although there are hosts for others.
  ///
  /// @param isPublic whether a host is for other machines
  /// @param behindProxy whether a proxy of this machine forwards HTTP
  static List<Finding> reachable(List<Listener> listeners, boolean isPublic, boolean behindProxy) {
    Map<String, List<Listener>> byUse = new LinkedHashMap<>();
    for (Listener each : listeners) {
      String use = use(each.kind());
      if (!use.isEmpty() && !(use.equals("browsers") && behindProxy)) {
        byUse.computeIfAbsent(use, _ -> new ArrayList<>()).add(each);
      }
    }
    List<Finding> findings = new ArrayList<>();
    byUse.forEach((use, all) -> {
      boolean local =
          all.stream().allMatch(each -> each.address().getAddress().isLoopbackAddress());
      if (local && isPublic) {
        Listener first = all.getFirst();
        String key = first.kind().key();
        int dot = key.indexOf('.');
        findings.add(
            Finding.warning(
                "port",
                "only programs on this machine reach the addresses for " + use,
                "[" + key.substring(0, dot) + "]",
                key.substring(dot + 1) + " = [\"0.0.0.0:" + first.address().getPort() + "\"]"));
      }
    });
    return findings;
  }

  private static String use(Kind kind) {
    return switch (kind) {
      case STARTTLS, DIRECT_TLS -> "clients";
      case SERVER, SERVER_DIRECT_TLS -> "other servers";
      case HTTP, HTTPS -> "browsers";
      case COMPONENT, API, API_TLS, ADMIN_TLS, EDGE -> "";
    };
  }
}
