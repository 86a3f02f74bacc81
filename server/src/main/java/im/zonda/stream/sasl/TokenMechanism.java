package im.zonda.stream.sasl;

import im.zonda.stream.ChannelBinding;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The SASL mechanisms for tokens (draft-schmaus-kitten-sasl-ht-09), the best first. One round
/// trip, and each token is for one of them.
public enum TokenMechanism {
  HT_SHA_256_EXPR(ChannelBinding.TLS_EXPORTER),
  HT_SHA_256_ENDP(ChannelBinding.TLS_SERVER_END_POINT),
  HT_SHA_256_NONE(null);

  private static final byte[] NO_BINDING = new byte[0];

  private final String saslName;
  private final @Nullable ChannelBinding binding;

  TokenMechanism(@Nullable ChannelBinding binding) {
    this.saslName = name().toUpperCase(Locale.ROOT).replace('_', '-');
    this.binding = binding;
  }

  /// The registered name.
  public String saslName() {
    return saslName;
  }

  /// The channel binding data that go into the proof, or null if the connection has none of the
  /// kind, so that the mechanism is not offered.
  public byte @Nullable [] bindingOf(SaslOffer offer) {
    return binding == null ? NO_BINDING : offer.binding(binding.prefix());
  }

  /// The mechanism with that registered name, or null.
  public static @Nullable TokenMechanism ofSaslName(@Nullable String name) {
    for (TokenMechanism mechanism : values()) {
      if (mechanism.saslName.equals(name)) {
        return mechanism;
      }
    }
    return null;
  }
}
