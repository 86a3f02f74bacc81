package im.zonda.provider.ldap;

import im.zonda.account.provider.ProviderException;
import im.zonda.provider.ldap.ServerAddress.Scheme;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import javax.naming.Context;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.InitialDirContext;
import org.jspecify.annotations.Nullable;

/// The servers of a directory by DNS: `_ldap._tcp` of its domain (RFC 2782).
///
/// @param domain the domain
/// @param foreign whether a server may be outside the domain. DNS is not signed: a forged answer
///   could name a server of somebody else, with a good certificate for it. That is harmless only
///   where the authorities that are trusted are not those of everyone.
/// @param resolver `dns:` for the resolver of the machine, or `dns://address:port`
record ServiceRecords(String domain, boolean foreign, String resolver) {
  /// The most servers that are used.
  private static final int MOST = 32;

  private static final String WAIT_MILLIS = "1000";

  private record Target(int priority, double order, ServerAddress address) {}

  /// The servers in the order in which they are tried. Blocks.
  ///
  /// @throws ProviderException if DNS does not answer, or names none
  List<ServerAddress> lookup() throws ProviderException {
    String name = "_ldap._tcp." + domain;
    List<Target> targets = new ArrayList<>();
    int outside = 0;
    try {
      Attribute records = records(name);
      for (int i = 0; records != null && i < Math.min(records.size(), MOST); i++) {
        Target target = target(String.valueOf(records.get(i)));
        if (target != null && (foreign || isInside(target.address.host()))) {
          targets.add(target);
        } else if (target != null) {
          outside++;
        }
      }
    } catch (NamingException e) {
      throw new ProviderException("DNS has no " + name + ": " + Failures.clean(e.toString()), e);
    }
    if (targets.isEmpty()) {
      throw new ProviderException(
          outside == 0
              ? "DNS names no server for " + name
              : name + " names servers outside " + domain + ", which needs `authorities`");
    }
    targets.sort(Comparator.comparingInt(Target::priority).thenComparingDouble(Target::order));
    return targets.stream().map(Target::address).toList();
  }

  private @Nullable Attribute records(String name) throws NamingException {
    Properties settings = new Properties();
    settings.setProperty(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
    settings.setProperty(Context.PROVIDER_URL, resolver);
    settings.setProperty("com.sun.jndi.dns.timeout.initial", WAIT_MILLIS);
    settings.setProperty("com.sun.jndi.dns.timeout.retries", "2");
    InitialDirContext dns = new InitialDirContext(settings);
    try {
      NamingEnumeration<? extends Attribute> all =
          dns.getAttributes(name, new String[] {"SRV"}).getAll();
      return all.hasMore() ? all.next() : null;
    } finally {
      dns.close();
    }
  }

  /// Reads `priority weight port target`; null for what is no server.
  private static @Nullable Target target(String record) {
    String[] parts = record.split(" ", -1);
    if (parts.length != 4) {
      return null;
    }
    try {
      int weight = Integer.parseInt(parts[1]);
      String host =
          parts[3].endsWith(".") ? parts[3].substring(0, parts[3].length() - 1) : parts[3];
      ServerAddress address =
          ServerAddress.parse("ldap://" + host + ":" + Integer.parseInt(parts[2]));
      // The smallest of exponential times is drawn with the probability of its weight.
      double order = -Math.log(1 - ThreadLocalRandom.current().nextDouble()) / (weight + 0.01);
      return address == null || address.scheme() != Scheme.LDAP
          ? null
          : new Target(Integer.parseInt(parts[0]), order, address);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private boolean isInside(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    String own = domain.toLowerCase(Locale.ROOT);
    return lower.equals(own) || lower.endsWith("." + own);
  }
}
