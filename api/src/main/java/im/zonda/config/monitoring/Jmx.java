package im.zonda.config.monitoring;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Figures for tools that speak JMX, such as JConsole. Read only, with tokens.
public record Jmx(
    @Setting(
            value = "address to listen on, such as `127.0.0.1:5295`; without one there is no JMX",
            form = Form.ADDRESS)
        @Nullable String listen,
    @Setting(
            "whether connections are encrypted, with the certificate of the host; only an address of"
                + " this machine can do without")
        boolean tls,
    @Setting(
            "name or address by which clients reach `jmx.listen`; without one the first host with"
                + " TLS, otherwise the address itself")
        @Nullable String host,
    @Setting(
            "addresses, or networks such as `10.0.0.0/8`, from which connections are accepted; empty"
                + " for all")
        List<String> allowFrom,
    @Setting(value = "the most connections at a time", min = 1, max = 1_000) int connections) {
  /// Not served.
  public static final Jmx OFF = new Jmx(null, true, null, List.of(), 16);

  /// Copies the list.
  public Jmx {
    allowFrom = List.copyOf(allowFrom);
  }
}
