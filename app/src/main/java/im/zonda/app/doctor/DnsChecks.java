package im.zonda.app.doctor;

import im.zonda.app.doctor.HostDns.SrvService;
import im.zonda.app.finding.Finding;
import im.zonda.dns.DnsLookup.Records;
import im.zonda.dns.DnsLookup.Srv;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Checks of what DNS has about a host, against the addresses that the server listens on.
///
/// @param dns what DNS has
/// @param ports the ports that the server listens on for each service; none if it does not
/// @param own the addresses of this machine that others can reach
record DnsChecks(HostDns dns, Map<SrvService, Set<Integer>> ports, List<InetAddress> own) {
  private static final Set<String> LOCAL =
      Set.of(
          "localhost", "local", "test", "example", "invalid", "internal", "lan", "home", "onion");

  /// Copies the collections.
  DnsChecks {
    ports = Map.copyOf(ports);
    own = List.copyOf(own);
  }

  /// Whether a domain is for this machine or a private network, so that DNS need not have it.
  static boolean isLocal(String domain) {
    String name = domain.toLowerCase(Locale.ROOT);
    return name.startsWith("[")
        || name.indexOf('.') < 0
        || name.endsWith(".home.arpa")
        || LOCAL.contains(name.substring(name.lastIndexOf('.') + 1))
        || name.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }

  /// What there is to say about a host for which DNS is not looked at.
  static Finding local(String domain) {
    return Finding.ok("DNS", domain + " is a name for this machine or network: DNS is not needed");
  }

  List<Finding> all() {
    List<Finding> findings = new ArrayList<>();
    findings.add(addresses(dns.host()));
    for (SrvService each : SrvService.values()) {
      findings.add(service(each));
    }
    dns.records().values().stream()
        .flatMap(each -> each instanceof Records.Found<Srv>(var all) ? all.stream() : null)
        .map(Srv::target)
        .filter(target -> !target.isEmpty() && !target.equals(dns.host()))
        .distinct()
        .sorted()
        .forEach(target -> findings.add(addresses(target)));
    dns.services().forEach((name, found) -> findings.add(serviceDomain(name, found)));
    return findings;
  }

  private static Finding unknown(String reason) {
    return Finding.unknown("DNS", reason);
  }

  /// The addresses of the host or of a server that its records name.
  Finding addresses(String name) {
    return switch (dns.addresses().get(name)) {
      case null -> unknown("the addresses of " + name + " were not looked up");
      case Records.Failed<InetAddress>(String reason) -> unknown(reason);
      case Records.None<InetAddress>() ->
          name.equals(dns.host()) && hasTargets()
              ? Finding.ok("DNS", name + " has no address; its SRV records name other servers")
              : Finding.problem("DNS", name + " has no address", addressLines(name));
      case Records.Found<InetAddress>(List<InetAddress> all) -> {
        String where =
            all.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
        if (own.isEmpty()) {
          yield Finding.ok(
              "DNS",
              name
                  + " is at "
                  + where
                  + "; not known: whether that leads here (this machine has"
                  + " private addresses only)");
        }
        yield all.stream().anyMatch(own::contains)
            ? Finding.ok("DNS", name + " is at " + where)
            : Finding.warning(
                "DNS",
                name + " is at " + where + ", which are no addresses of this machine",
                addressLines(name));
      }
    };
  }

  private boolean hasTargets() {
    return dns.records().get(SrvService.CLIENTS) instanceof Records.Found<Srv>;
  }

  /// The records of the addresses of this machine for a name.
  String[] addressLines(String name) {
    if (own.isEmpty()) {
      return new String[] {name + ". 3600 IN A PUBLIC-ADDRESS-OF-THIS-SERVER"};
    }
    return own.stream()
        .map(each ->
            name
                + ". 3600 IN "
                + (each instanceof Inet6Address ? "AAAA " : "A ")
                + each.getHostAddress())
        .toArray(String[]::new);
  }

  /// The SRV records of a service.
  Finding service(SrvService service) {
    String name = service.of(dns.host());
    Set<Integer> listening = ports.getOrDefault(service, Set.of());
    return switch (dns.records().get(service)) {
      case null -> unknown(name + " was not looked up");
      case Records.Failed<Srv>(String reason) -> unknown(reason);
      case Records.None<Srv>() -> missing(service, name, listening);
      case Records.Found<Srv>(List<Srv> all) -> found(name, all, listening);
    };
  }

  private Finding missing(SrvService service, String name, Set<Integer> listening) {
    if (listening.isEmpty()) {
      return Finding.ok("DNS", "no record " + name + ", and no address for it here");
    }
    String text = "there is no record " + name;
    return switch (service) {
      case CLIENTS ->
          listening.contains(5222)
              ? Finding.warning(
                  "DNS",
                  text + ": most clients try port 5222 of " + dns.host() + ", some do not",
                  line(name, listening))
              : Finding.problem(
                  "DNS", text + ": clients do not find the port", line(name, listening));
      case CLIENTS_TLS ->
          Finding.warning(
              "DNS", text + ": clients connect without direct TLS", line(name, listening));
      case SERVERS ->
          listening.contains(5269)
              ? Finding.ok("DNS", text + ": other servers use port 5269 of " + dns.host())
              : Finding.problem(
                  "DNS", text + ": other servers do not find the port", line(name, listening));
      case SERVERS_TLS -> Finding.ok("DNS", text + ": other servers connect with STARTTLS");
    };
  }

  /// The SRV record that leads here.
  String line(String name, Set<Integer> listening) {
    return name
        + ". 3600 IN SRV 5 10 "
        + listening.stream().sorted().findFirst().orElse(0)
        + " "
        + dns.host()
        + ".";
  }

  private Finding found(String name, List<Srv> all, Set<Integer> listening) {
    String described =
        all.stream()
            .map(each ->
                each.target().isEmpty() ? "nowhere" : each.target() + " port " + each.port())
            .collect(Collectors.joining(", "));
    String text = name + " leads to " + described;
    boolean nowhere = all.stream().allMatch(each -> each.target().isEmpty());
    if (listening.isEmpty()) {
      return nowhere
          ? Finding.ok("DNS", text)
          : Finding.warning(
              "DNS",
              text + ", but this server does not listen for that",
              name + ". 3600 IN SRV 0 0 0 .");
    }
    if (nowhere) {
      return Finding.problem(
          "DNS", text + ", which says that there is no such service", line(name, listening));
    }
    boolean fits = all.stream().anyMatch(each -> listening.contains(each.port()));
    if (fits) {
      return Finding.ok("DNS", text);
    }
    boolean other =
        all.stream()
            .anyMatch(each -> ports.values().stream().anyMatch(set -> set.contains(each.port())));
    String rest =
        ", but this server listens at "
            + listening.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "))
            + " for that";
    return other
        ? Finding.problem("DNS", text + rest, line(name, listening))
        : Finding.warning(
            "DNS", text + rest + "; right only if a router forwards it", line(name, listening));
  }

  /// A service domain that other servers should find.
  Finding serviceDomain(String name, boolean found) {
    return found
        ? Finding.ok("DNS", "other servers find " + name)
        : Finding.warning(
            "DNS",
            "other servers do not find " + name + ": their users cannot use it",
            line(SrvService.SERVERS.of(name), ports.getOrDefault(SrvService.SERVERS, Set.of())));
  }
}
