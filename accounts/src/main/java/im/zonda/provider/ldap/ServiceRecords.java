package im.zonda.provider.ldap;

import im.zonda.account.provider.ProviderException;
import im.zonda.provider.ldap.ServerAddress.Scheme;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Lookup;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// The servers of a directory by DNS: `_ldap._tcp` of its domain (RFC 2782).
///
/// @param domain the domain
/// @param foreign whether a server may be outside the domain. DNS is not signed: a forged answer
///   could name a server of somebody else, with a good certificate for it. That is harmless only
///   where the authorities that are trusted are not those of everyone.
/// @param resolver the name server; null for those of the machine
record ServiceRecords(String domain, boolean foreign, @Nullable InetSocketAddress resolver) {
  /// The most servers that are used.
  private static final int MOST = 32;

  private static final Duration WAIT = Duration.ofSeconds(2);

  private record Target(int priority, double order, ServerAddress address) {}

  /// The servers in the order in which they are tried. Blocks.
  ///
  /// @throws ProviderException if DNS does not answer, or names none
  List<ServerAddress> lookup() throws ProviderException {
    String name = "_ldap._tcp." + domain;
    List<Target> targets = new ArrayList<>();
    boolean outside = false;
    for (SRVRecord record : records(name)) {
      Target target = target(record);
      if (target != null && (foreign || isInside(target.address.host()))) {
        targets.add(target);
      } else if (target != null) {
        outside = true;
      }
    }
    if (targets.isEmpty()) {
      throw new ProviderException(
          outside
              ? name + " names servers outside " + domain + ", which needs `authorities`"
              : "DNS names no server for " + name);
    }
    targets.sort(Comparator.comparingInt(Target::priority).thenComparingDouble(Target::order));
    return targets.stream().map(Target::address).toList();
  }

  private List<SRVRecord> records(String name) throws ProviderException {
    Lookup lookup;
    try {
      lookup = new Lookup(Name.fromString(name, Name.root), Type.SRV);
    } catch (TextParseException e) {
      throw new ProviderException("DNS cannot have " + name, e);
    }
    Resolver servers = resolver == null ? new ExtendedResolver() : new SimpleResolver(resolver);
    servers.setTimeout(WAIT);
    lookup.setResolver(servers);
    lookup.setCache(null);
    Record[] found = lookup.run();
    if (found == null) {
      throw new ProviderException(
          "DNS has no " + name + ": " + Failures.clean(lookup.getErrorString()));
    }
    List<SRVRecord> records = new ArrayList<>();
    for (Record each : found) {
      if (each instanceof SRVRecord record && records.size() < MOST) {
        records.add(record);
      }
    }
    return records;
  }

  /// The server of a record; null for what is none.
  private static @Nullable Target target(SRVRecord record) {
    String host = record.getTarget().toString(true).toLowerCase(Locale.ROOT);
    ServerAddress address = ServerAddress.parse("ldap://" + host + ":" + record.getPort());
    // The smallest of exponential times is drawn with the probability of its weight.
    double order =
        -Math.log(1 - ThreadLocalRandom.current().nextDouble()) / (record.getWeight() + 0.01);
    return address == null || address.scheme() != Scheme.LDAP
        ? null
        : new Target(record.getPriority(), order, address);
  }

  private boolean isInside(String host) {
    String own = domain.toLowerCase(Locale.ROOT);
    return host.equals(own) || host.endsWith("." + own);
  }
}
