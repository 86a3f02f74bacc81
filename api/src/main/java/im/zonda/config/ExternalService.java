package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A service outside of XMPP that clients of a host may use (XEP-0215).
public record ExternalService(
    @Setting("kind of service, such as `stun`, `turn` or `turns`; must be set") String type,
    @Setting("domain or IP address of the service; must be set") String host,
    @Setting(value = "port; without it the usual one", min = 1, max = 65_535)
        @Nullable Integer port,
    @Setting("transport protocol, such as `udp` or `tcp`") @Nullable String transport,
    @Setting("name that clients show to their users") @Nullable String name,
    @Setting(
            value =
                "secret that is shared with the service, for time-limited passwords as TURN servers"
                    + " accept them (coturn: `use-auth-secret`)",
            form = Form.SECRET)
        @Nullable String secret,
    @Setting(value = "time for which such a password is valid", min = 60_000, max = 2_592_000_000L)
        Duration lifetime,
    @Setting("user name of a service that has the same for everyone") @Nullable String username,
    @Setting(value = "password of that user name", form = Form.SECRET) @Nullable String password) {
  /// Nothing is set.
  public static final ExternalService NONE =
      new ExternalService("", "", null, null, null, null, Duration.ofDays(1), null, null);

  /// Whether clients need credentials.
  public boolean isRestricted() {
    return secret != null || password != null;
  }

  /// Without the secrets.
  @Override
  public String toString() {
    return "ExternalService[type=" + type + ", host=" + host + ", port=" + port + "]";
  }
}
