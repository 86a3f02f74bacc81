package im.zonda.stream.sasl;

import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.auth.Passwords;
import im.zonda.module.Xep;
import im.zonda.stanza.Namespaces;
import im.zonda.stream.ChannelBinding;
import im.zonda.stream.StreamTransport;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The offer to one stream for its authentication: mechanisms, and channel binding types with their
/// data. Only what was offered is accepted.
///
/// SCRAM with channel binding is offered with TLS 1.3 only, where clients have `tls-exporter` (RFC
/// 9266) or `tls-server-end-point`. With TLS 1.2 many would use `tls-unique` (RFC 5802, section
/// 6.1), which Java's TLS does not tell.
@Xep(number = 440, version = "1.0.0", title = "SASL Channel-Binding Type Capability")
public final class SaslOffer {
  private static final String CHANNEL_BINDINGS = "urn:xmpp:sasl-cb:0";

  private final List<SaslMechanism> mechanisms = new ArrayList<>();
  private final Map<ChannelBinding, byte[]> bindings = new EnumMap<>(ChannelBinding.class);
  private final @Nullable String tlsVersion;

  /// The offer for a connection as it is now, without ANONYMOUS.
  public SaslOffer(StreamTransport transport) {
    this(
        transport,
        false,
        Set.copyOf(Passwords.HASHES),
        Set.of(Ability.PASSWORD, Ability.SCRAM_KEYS));
  }

  /// The offer for a connection as it is now.
  ///
  /// @param guests whether ANONYMOUS is offered
  /// @param hashes the hashes for which SCRAM is offered
  /// @param abilities what can be checked; certificates if the client has presented a right one
  public SaslOffer(
      StreamTransport transport, boolean guests, Set<String> hashes, Set<Ability> abilities) {
    tlsVersion = transport.tlsVersion();
    for (ChannelBinding kind : ChannelBinding.values()) {
      byte[] data = transport.channelBinding(kind);
      if (data != null) {
        bindings.put(kind, data);
      }
    }
    for (SaslMechanism mechanism : SaslMechanism.values()) {
      boolean isOffered =
          switch (mechanism) {
            case ANONYMOUS -> guests;
            case PLAIN -> abilities.contains(Ability.PASSWORD);
            case OAUTHBEARER -> abilities.contains(Ability.TOKEN);
            case EXTERNAL -> abilities.contains(Ability.CERTIFICATE);
            case SCRAM_SHA_512_PLUS,
                SCRAM_SHA_256_PLUS,
                SCRAM_SHA_1_PLUS,
                SCRAM_SHA_512,
                SCRAM_SHA_256,
                SCRAM_SHA_1 ->
                abilities.contains(Ability.SCRAM_KEYS) && hashes.contains(mechanism.hash());
          };
      if (isOffered && (!mechanism.plus() || hasBindings())) {
        mechanisms.add(mechanism);
      }
    }
  }

  /// The mechanism that a client asks for.
  ///
  /// @param offer what was offered; null if nothing was, because the connection is not encrypted
  /// @throws SaslFailure if it was not offered
  public static SaslMechanism require(@Nullable SaslOffer offer, @Nullable String name)
      throws SaslFailure {
    SaslMechanism wanted = SaslMechanism.ofSaslName(name);
    if (wanted != null && offer == null) {
      throw new SaslFailure(SaslCondition.ENCRYPTION_REQUIRED, "before TLS");
    }
    if (wanted == null || offer == null || !offer.mechanisms.contains(wanted)) {
      throw new SaslFailure(SaslCondition.INVALID_MECHANISM, "not offered");
    }
    return wanted;
  }

  /// The mechanisms, the best first.
  public List<SaslMechanism> mechanisms() {
    return mechanisms;
  }

  /// Whether SCRAM with channel binding was offered.
  boolean hasBindings() {
    return bindings.containsKey(ChannelBinding.TLS_EXPORTER);
  }

  /// The data of a kind of channel binding, or null if the connection has none. Tokens are bound by
  /// the name of their mechanism, with any version of TLS.
  byte @Nullable [] binding(String prefix) {
    ChannelBinding kind = ChannelBinding.ofPrefix(prefix);
    return kind == null ? null : bindings.get(kind);
  }

  /// Adds the stream features that make the offer (RFC 6120, section 6.3.3; XEP-0440).
  public void addTo(Element.Builder features) {
    Element.Builder list = Element.builder(Namespaces.SASL, "mechanisms");
    for (SaslMechanism mechanism : mechanisms) {
      list.child("mechanism", mechanism.saslName());
    }
    if (!mechanisms.isEmpty()) {
      features.child(list.build());
    }
    if (hasBindings()) {
      Element.Builder kinds = Element.builder(CHANNEL_BINDINGS, "sasl-channel-binding");
      for (ChannelBinding kind : bindings.keySet()) {
        kinds.child(
            Element.builder(new QName(CHANNEL_BINDINGS, "channel-binding"))
                .attribute("type", kind.prefix())
                .build());
      }
      features.child(kinds.build());
    }
  }

  /// The attributes of a SCRAM challenge by which a client detects that someone in between has
  /// reduced the offer (XEP-0474) or speaks another version of TLS with it (XEP-0515).
  String downgradeProtection(String hash) {
    String text = ",h=" + downgradeHash(hash);
    return tlsVersion == null ? text : text + ",t=" + tlsVersion;
  }

  /// The hash of the offer, by which a client detects that it was reduced on its way (XEP-0474,
  /// section 5.1), in Base64.
  String downgradeHash(String hash) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.join("\u001e", mechanisms.stream().map(SaslMechanism::saslName).sorted().toList()));
    if (hasBindings()) {
      text.append('\u001f');
      text.append(
          String.join(
              "\u001e", bindings.keySet().stream().map(ChannelBinding::prefix).sorted().toList()));
    }
    try {
      byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance(hash).digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no " + hash, e);
    }
  }
}
