package im.zonda.stream.sasl;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The SASL mechanisms that this server knows, the best first.
public enum SaslMechanism {
  EXTERNAL("", false),
  SCRAM_SHA_512_PLUS("SHA-512", true),
  SCRAM_SHA_256_PLUS("SHA-256", true),
  SCRAM_SHA_1_PLUS("SHA-1", true),
  SCRAM_SHA_512("SHA-512", false),
  SCRAM_SHA_256("SHA-256", false),
  SCRAM_SHA_1("SHA-1", false),
  OAUTHBEARER("", false),
  PLAIN("", false),
  ANONYMOUS("", false);

  private final String saslName;
  private final String hash;
  private final boolean plus;

  SaslMechanism(String hash, boolean plus) {
    this.saslName = name().toUpperCase(Locale.ROOT).replace('_', '-');
    this.hash = hash;
    this.plus = plus;
  }

  /// The registered name.
  public String saslName() {
    return saslName;
  }

  /// The hash of a SCRAM mechanism; empty for the others.
  String hash() {
    return hash;
  }

  /// Whether it binds the authentication to the TLS connection.
  boolean plus() {
    return plus;
  }

  /// The mechanism with that registered name, or null.
  static @Nullable SaslMechanism ofSaslName(@Nullable String name) {
    for (SaslMechanism mechanism : values()) {
      if (mechanism.saslName.equals(name)) {
        return mechanism;
      }
    }
    return null;
  }
}
