package im.zonda.testkit.server;

import im.zonda.dns.ServerAddresses;
import im.zonda.dns.Target;
import im.zonda.jid.Jid;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Says where the servers of domains are, in place of DNS. A domain that it does not know does not
/// exist. Any thread may call.
public final class FakeAddresses implements ServerAddresses {
  private final Map<String, Found> found = new ConcurrentHashMap<>();
  private final Map<String, Integer> asked = new ConcurrentHashMap<>();

  /// No domains.
  public FakeAddresses() {}

  /// Adds a server of a domain, after those that it has.
  ///
  /// @param directTls whether the connection begins with TLS
  public FakeAddresses serve(String domain, InetSocketAddress address, boolean directTls) {
    Target target =
        new Target(
            address.getHostString(),
            List.of(address.getAddress()),
            address.getPort(),
            directTls,
            List.of());
    found.merge(
        key(domain),
        new Found.Targets(List.of(target), false),
        (before, more) -> {
          List<Target> all = new ArrayList<>();
          if (before instanceof Found.Targets targets) {
            all.addAll(targets.targets());
          }
          all.add(target);
          return new Found.Targets(all, false);
        });
    return this;
  }

  /// Answers for a domain like that from now on.
  public FakeAddresses answer(String domain, Found answer) {
    found.put(key(domain), answer);
    return this;
  }

  /// How often a domain was asked for.
  public int asked(String domain) {
    return asked.getOrDefault(key(domain), 0);
  }

  @Override
  public Found find(String domain) {
    asked.merge(key(domain), 1, Integer::sum);
    return found.getOrDefault(key(domain), new Found.NoSuchDomain());
  }

  private static String key(String domain) {
    return Jid.of(null, domain, null).domain();
  }
}
