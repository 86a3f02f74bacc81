package im.zonda.dns;

import im.zonda.config.S2s;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.dnssec.ValidatingResolver;

/// The DNS servers that are asked: one after another, each over UDP with a random port and id, and
/// over TCP when a response is truncated.
final class DnsServers {
  /// The keys of the root zone: KSK-2017 and KSK-2024 (https://data.iana.org/root-anchors/).
  static final String ROOT_KEYS =
      """
      . IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D
      . IN DS 38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16
      """;

  private static final Duration LONGEST_ATTEMPT = Duration.ofMillis(2_500);
  private static final int ATTEMPTS = 3;

  private DnsServers() {}

  /// @param anchors DS records of the keys that DNSSEC trusts
  static Resolver of(S2s.Dns settings, String anchors, InstantSource clock) {
    Duration attempt = settings.timeout().dividedBy(ATTEMPTS + 1);
    List<Resolver> servers = new ArrayList<>();
    for (InetSocketAddress address : addresses(settings)) {
      SimpleResolver server = new SimpleResolver(address);
      server.setTimeout(attempt.compareTo(LONGEST_ATTEMPT) < 0 ? attempt : LONGEST_ATTEMPT);
      servers.add(server);
    }
    ExtendedResolver all = new ExtendedResolver(servers);
    all.setRetries(ATTEMPTS);
    all.setTimeout(settings.timeout());
    if (!settings.dane()) {
      return all;
    }
    ValidatingResolver validating = new ValidatingResolver(all, clock.withZone(ZoneOffset.UTC));
    try {
      validating.loadTrustAnchors(
          new ByteArrayInputStream(anchors.getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return validating;
  }

  private static List<InetSocketAddress> addresses(S2s.Dns settings) {
    if (settings.servers().isEmpty()) {
      return ResolverConfig.getCurrentConfig().servers();
    }
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String server : settings.servers()) {
      HostAndPort address = HostAndPort.parse(server);
      addresses.add(new InetSocketAddress(address.host(), address.port()));
    }
    return addresses;
  }
}
