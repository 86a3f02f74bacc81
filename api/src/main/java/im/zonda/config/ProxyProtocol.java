package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.time.Duration;
import java.util.List;

/// Proxies that forward connections and name the client by HAProxy's PROXY protocol.
public record ProxyProtocol(
    @Setting(
            value =
                "those of the addresses in `listen` and `listen-tls` of other sections at which"
                    + " each connection begins with the header of the PROXY protocol (version 1 or"
                    + " 2), written in the same way; connections without it are refused there. All"
                    + " other addresses do not know the header",
            form = Form.ADDRESS)
        List<String> listeners,
    @Setting(
            "addresses of the proxies, or networks such as `10.0.0.0/8`; connections of anyone else"
                + " are refused at `listeners`")
        List<String> trusted,
    @Setting(
            value = "time in which the header must have come after the connection was made",
            min = 100,
            max = 60_000)
        Duration headerTime) {
  /// No listener expects the header.
  public static final ProxyProtocol DEFAULTS =
      new ProxyProtocol(List.of(), List.of(), Duration.ofSeconds(5));

  /// Copies the lists.
  public ProxyProtocol {
    listeners = List.copyOf(listeners);
    trusted = List.copyOf(trusted);
  }
}
