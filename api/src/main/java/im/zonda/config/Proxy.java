package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The proxy for SOCKS5 bytestreams of all virtual hosts (XEP-0065).
public record Proxy(
    @Setting(
            value =
                "addresses to listen on for SOCKS5 connections; without one there is no proxy. The"
                    + " streams are not encrypted",
            form = Form.ADDRESS)
        List<String> listen,
    @Setting(
            "host name or IP address of this server that clients are given; without it the domain of"
                + " the virtual host")
        @Nullable String address,
    @Setting(
            value =
                "port that clients are given; without it that of the first address to listen on",
            min = 1,
            max = 65_535)
        @Nullable Integer port,
    @Setting("prefix of the proxy's domain: `proxy` gives `proxy.example.org`") String prefix,
    @Setting(
            value =
                "other domains whose users may use the proxies of all hosts; those of the host"
                    + " itself always may",
            form = Form.DOMAIN_PATTERN)
        List<String> allow) {
  /// No proxy.
  public static final Proxy DEFAULTS = new Proxy(List.of(), null, null, "proxy", List.of());

  /// Copies the lists.
  public Proxy {
    listen = List.copyOf(listen);
    allow = List.copyOf(allow);
  }

  /// Whether there is a proxy.
  public boolean isOn() {
    return !listen.isEmpty();
  }
}
