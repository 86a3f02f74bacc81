package im.zonda.app.doctor;

import im.zonda.dns.DnsLookup;
import im.zonda.dns.DnsLookup.Records;
import im.zonda.dns.DnsLookup.Srv;
import im.zonda.stream.CertificateNames;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// The records of a host in DNS.
///
/// @param host its domain, as A-labels
/// @param records its SRV records, by their service
/// @param addresses the addresses of the host and of the targets of its records
/// @param services whether other servers find each of its service domains
record HostDns(
    String host,
    Map<SrvService, Records<Srv>> records,
    Map<String, Records<InetAddress>> addresses,
    Map<String, Boolean> services) {
  /// The most targets that are looked up.
  private static final int MOST_TARGETS = 16;

  /// The services of SRV records (RFC 6120, section 3.2.1; XEP-0368).
  enum SrvService {
    CLIENTS("_xmpp-client._tcp"),
    CLIENTS_TLS("_xmpps-client._tcp"),
    SERVERS("_xmpp-server._tcp"),
    SERVERS_TLS("_xmpps-server._tcp");

    private final String prefix;

    SrvService(String prefix) {
      this.prefix = prefix;
    }

    /// The name of the record of a domain.
    String of(String domain) {
      return prefix + "." + domain;
    }
  }

  /// Copies the maps.
  HostDns {
    records = Map.copyOf(records);
    addresses = Map.copyOf(addresses);
    services = Collections.unmodifiableMap(new LinkedHashMap<>(services));
  }

  /// Looks them up. Blocks.
  ///
  /// @param services the service domains that other servers should find
  /// @param executor runs look-ups, which block
  static HostDns read(String domain, List<String> services, DnsLookup dns, Executor executor) {
    String host = CertificateNames.toAscii(domain);
    Map<SrvService, CompletableFuture<Records<Srv>>> asked = new LinkedHashMap<>();
    for (SrvService each : SrvService.values()) {
      asked.put(each, CompletableFuture.supplyAsync(() -> dns.services(each.of(host)), executor));
    }
    Map<String, CompletableFuture<Boolean>> found = new LinkedHashMap<>();
    for (String each : services) {
      String name = CertificateNames.toAscii(each);
      found.put(name, CompletableFuture.supplyAsync(() -> isFound(name, dns), executor));
    }
    Set<String> names = new LinkedHashSet<>(List.of(host));
    Map<SrvService, Records<Srv>> records = new LinkedHashMap<>();
    asked.forEach((service, future) -> {
      Records<Srv> answer = future.join();
      records.put(service, answer);
      if (answer instanceof Records.Found<Srv>(List<Srv> all)) {
        all.stream()
            .map(Srv::target)
            .filter(target -> !target.isEmpty() && names.size() < MOST_TARGETS)
            .forEach(names::add);
      }
    });
    List<Map.Entry<String, CompletableFuture<Records<InetAddress>>>> looked = new ArrayList<>();
    for (String each : names) {
      looked.add(
          Map.entry(each, CompletableFuture.supplyAsync(() -> dns.addresses(each), executor)));
    }
    Map<String, Records<InetAddress>> addresses = new LinkedHashMap<>();
    looked.forEach(each -> addresses.put(each.getKey(), each.getValue().join()));
    Map<String, Boolean> known = new LinkedHashMap<>();
    found.forEach((name, future) -> known.put(name, future.join()));
    return new HostDns(host, records, addresses, known);
  }

  /// An answer that is not known counts as found.
  private static boolean isFound(String name, DnsLookup dns) {
    return !(dns.services(SrvService.SERVERS.of(name)) instanceof Records.None<Srv>)
        || !(dns.services(SrvService.SERVERS_TLS.of(name)) instanceof Records.None<Srv>)
        || !(dns.addresses(name) instanceof Records.None<InetAddress>);
  }
}
