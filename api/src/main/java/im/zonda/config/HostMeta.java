package im.zonda.config;

import im.zonda.config.annotation.Setting;
import java.time.Duration;
import java.util.List;

/// How clients and other servers find a virtual host by one file, `host-meta.json` (XEP-0487), in
/// place of DNS records.
public record HostMeta(
    @Setting(
            "public IP addresses at which the host is reached. With them `host-meta.json` lists"
                + " every way to connect, and those who read it skip DNS records; without them it"
                + " lists those for browsers only (XEP-0156)")
        List<String> addresses,
    @Setting(
            value = "public port at which clients connect with direct TLS; 0 is none",
            max = 65_535)
        int tlsPort,
    @Setting(
            value = "public port at which other servers connect with direct TLS; 0 is none",
            max = 65_535)
        int serverTlsPort,
    @Setting(value = "time for which the file may be kept", min = 60_000, max = 604_800_000)
        Duration ttl) {
  /// Nothing but what XEP-0156 lists.
  public static final HostMeta DEFAULTS = new HostMeta(List.of(), 0, 0, Duration.ofHours(1));

  /// Copies the list.
  public HostMeta {
    addresses = List.copyOf(addresses);
  }

  /// Whether the file takes the place of DNS records.
  public boolean isOn() {
    return !addresses.isEmpty();
  }
}
