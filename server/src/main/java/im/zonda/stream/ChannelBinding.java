package im.zonda.stream;

import org.jspecify.annotations.Nullable;

/// The kinds of channel binding data that tie an authentication to its TLS connection.
public enum ChannelBinding {
  /// Keying material of this very connection (RFC 9266). TLS 1.3 only.
  TLS_EXPORTER("tls-exporter"),
  /// The hash of the server's certificate (RFC 5929, section 4).
  TLS_SERVER_END_POINT("tls-server-end-point");

  private final String prefix;

  ChannelBinding(String prefix) {
    this.prefix = prefix;
  }

  /// The registered name.
  public String prefix() {
    return prefix;
  }

  /// The kind with that registered name, or null.
  public static @Nullable ChannelBinding ofPrefix(String prefix) {
    for (ChannelBinding binding : values()) {
      if (binding.prefix.equals(prefix)) {
        return binding;
      }
    }
    return null;
  }
}
