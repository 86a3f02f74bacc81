package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.util.List;

/// Administration by programs: operations by HTTP, with tokens.
public record Api(
    @Setting(
            value =
                "addresses to listen on for HTTP without TLS, of this machine only, such as"
                    + " `127.0.0.1:5290`",
            form = Form.ADDRESS)
        List<String> listen,
    @Setting(value = "addresses to listen on for HTTPS", form = Form.ADDRESS)
        List<String> listenTls,
    @Setting(
            "addresses, or networks such as `10.0.0.0/8`, from which requests are answered; empty"
                + " for all")
        List<String> allowFrom) {
  /// Not served.
  public static final Api OFF = new Api(List.of(), List.of(), List.of());

  /// Copies the lists.
  public Api {
    listen = List.copyOf(listen);
    listenTls = List.copyOf(listenTls);
    allowFrom = List.copyOf(allowFrom);
  }

  /// Whether anything is served.
  public boolean isOn() {
    return !listen.isEmpty() || !listenTls.isEmpty();
  }
}
