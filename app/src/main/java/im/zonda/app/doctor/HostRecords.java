package im.zonda.app.doctor;

import im.zonda.app.doctor.HostDns.SrvService;
import im.zonda.app.finding.Finding;
import im.zonda.dns.DnsLookup;
import im.zonda.dns.DnsLookup.Records;
import im.zonda.dns.DnsLookup.Srv;
import im.zonda.stream.CertificateNames;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The records that a host needs in DNS, each with what DNS has at present.
///
/// @param checks judge what DNS has
/// @param services the addresses that DNS has for each service domain
/// @param named the service domains that a certificate of an authority must name
record HostRecords(
    DnsChecks checks, Map<String, Records<InetAddress>> services, List<String> named) {
  /// Looks up the addresses of service domains. Blocks.
  static Map<String, Records<InetAddress>> lookUp(
      List<String> domains, DnsLookup dns, Executor executor) {
    Map<String, CompletableFuture<Records<InetAddress>>> asked = new LinkedHashMap<>();
    for (String each : domains) {
      String name = CertificateNames.toAscii(each);
      asked.put(name, CompletableFuture.supplyAsync(() -> dns.addresses(name), executor));
    }
    Map<String, Records<InetAddress>> found = new LinkedHashMap<>();
    asked.forEach((name, answer) -> found.put(name, answer.join()));
    return found;
  }

  List<WantedRecord> all() {
    List<WantedRecord> all = new ArrayList<>();
    all.add(addresses());
    for (SrvService each : SrvService.values()) {
      WantedRecord record = service(each);
      if (!record.lines().isEmpty() || !record.found().isEmpty()) {
        all.add(record);
      }
    }
    services.forEach((name, found) -> all.add(serviceDomain(name, found)));
    return all;
  }

  private WantedRecord addresses() {
    String host = checks.dns().host();
    List<String> lines = List.of(checks.addressLines(host));
    return new WantedRecord(
        host,
        lines.stream().anyMatch(line -> line.contains(" AAAA ")) ? "A, AAAA" : "A",
        lines,
        found(checks.dns().addresses().get(host)),
        checks.addresses(host));
  }

  private WantedRecord service(SrvService service) {
    String name = service.of(checks.dns().host());
    Set<Integer> listening = checks.ports().getOrDefault(service, Set.of());
    boolean listens = !listening.isEmpty();
    Records<Srv> records = checks.dns().records().get(service);
    List<String> found =
        records instanceof Records.Found<Srv>(List<Srv> all)
            ? all.stream()
                .map(each ->
                    each.priority()
                        + " "
                        + each.weight()
                        + " "
                        + each.port()
                        + " "
                        + (each.target().isEmpty() ? "." : each.target()))
                .toList()
            : List.of();
    return new WantedRecord(
        name,
        "SRV",
        listens ? List.of(checks.line(name, listening)) : List.of(),
        found,
        checks.service(service));
  }

  private WantedRecord serviceDomain(String name, Records<InetAddress> records) {
    String host = checks.dns().host();
    boolean needed = named.contains(name);
    Finding finding =
        switch (records) {
          case Records.Failed<InetAddress>(String reason) -> Finding.unknown("DNS", reason);
          case Records.Found<InetAddress>(List<InetAddress> all) ->
              checks.own().isEmpty() || all.stream().anyMatch(checks.own()::contains)
                  ? Finding.ok("DNS", name + " has an address")
                  : Finding.warning("DNS", name + " is at addresses that are not of this machine");
          case Records.None<InetAddress>() ->
              needed
                  ? Finding.problem("DNS", name + " has no address: no certificate can name it")
                  : Boolean.FALSE.equals(checks.dns().services().get(name))
                      ? Finding.warning(
                          "DNS", name + " has no address: people of other servers cannot use it")
                      : Finding.ok(
                          "DNS", name + " has no address: only people of " + host + " use it");
        };
    return new WantedRecord(
        name, "CNAME", List.of(name + ". 3600 IN CNAME " + host + "."), found(records), finding);
  }

  private static List<String> found(@Nullable Records<InetAddress> records) {
    return records instanceof Records.Found<InetAddress>(List<InetAddress> all)
        ? all.stream().map(InetAddress::getHostAddress).toList()
        : List.of();
  }
}
