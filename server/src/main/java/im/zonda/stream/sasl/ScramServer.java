package im.zonda.stream.sasl;

import im.zonda.module.Xep;
import im.zonda.store.ScramKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The server's side of one SCRAM exchange (RFC 5802, RFC 7677): [#clientFirst], [#serverFirst],
/// [#finish], in that order and once each.
///
/// Pure state, no I/O. It needs only what is stored of a password; no key is derived here.
@Xep(number = 474, version = "0.5.0", title = "SASL SCRAM Downgrade Protection")
@Xep(number = 515, version = "0.1.0", title = "TLS Channel-Binding Downgrade Protection")
final class ScramServer {
  /// Longer nonces are rejected, so that an exchange stays small.
  private static final int MAX_NONCE = 256;

  private final SaslMechanism mechanism;
  private final SaslOffer offer;
  private final String nonceSuffix;

  private byte[] expectedBinding = new byte[0];
  private String clientFirstBare = "";
  private String nonce = "";
  private String serverFirst = "";
  private @Nullable ScramKeys keys;

  /// The identities that the client claims.
  ///
  /// @param name the user name, decoded but not prepared
  /// @param authzid the authorization identity; empty for the user's own
  public record ClientFirst(String name, String authzid) {}

  /// An exchange by `mechanism` on a stream that was made `offer`.
  ///
  /// @param nonceSuffix the server's part of the nonce, which cannot be guessed and is never used
  ///   twice
  ScramServer(SaslMechanism mechanism, SaslOffer offer, String nonceSuffix) {
    this.mechanism = mechanism;
    this.offer = offer;
    this.nonceSuffix = nonceSuffix;
  }

  /// Reads the client's first message.
  ///
  /// @throws SaslFailure if it is malformed, or if the offer was tampered with
  ClientFirst clientFirst(byte[] message) throws SaslFailure {
    String text = SaslText.decode(message, 0, message.length);
    int afterFlag = text.indexOf(',');
    int afterAuthzid = afterFlag < 0 ? -1 : text.indexOf(',', afterFlag + 1);
    if (afterAuthzid < 0) {
      throw malformed("no GS2 header");
    }
    byte[] binding = channelBinding(text.substring(0, afterFlag));
    String authzid = text.substring(afterFlag + 1, afterAuthzid);
    if (!authzid.isEmpty()) {
      authzid = saslName(value(authzid, 'a'));
    }
    byte[] header = text.substring(0, afterAuthzid + 1).getBytes(StandardCharsets.UTF_8);
    expectedBinding = Arrays.copyOf(header, header.length + binding.length);
    System.arraycopy(binding, 0, expectedBinding, header.length, binding.length);
    clientFirstBare = text.substring(afterAuthzid + 1);

    String[] parts = clientFirstBare.split(",", -1);
    if (parts[0].startsWith("m=")) {
      throw malformed("mandatory extension");
    }
    if (parts.length < 2) {
      throw malformed("no nonce");
    }
    String name = saslName(value(parts[0], 'n'));
    String clientNonce = value(parts[1], 'r');
    if (!isNonce(clientNonce)) {
      throw malformed("nonce");
    }
    for (int i = 2; i < parts.length; i++) {
      requireAttribute(parts[i]);
    }
    nonce = clientNonce + nonceSuffix;
    return new ClientFirst(name, authzid);
  }

  /// The server's first message for an account with these keys.
  ///
  /// @param extensions more attributes, each after a comma; empty for none
  byte[] serverFirst(ScramKeys accountKeys, String extensions) {
    keys = accountKeys;
    serverFirst =
        "r="
            + nonce
            + ",s="
            + SaslBase64.encode(accountKeys.salt())
            + ",i="
            + accountKeys.iterations()
            + extensions;
    return serverFirst.getBytes(StandardCharsets.UTF_8);
  }

  /// Reads the client's final message; returns the server's final message if the proof is right.
  ///
  /// @throws SaslFailure if it is not
  byte[] finish(byte[] message) throws SaslFailure {
    ScramKeys known = keys;
    if (known == null) {
      throw new IllegalStateException("no server-first message was made");
    }
    String text = SaslText.decode(message, 0, message.length);
    int beforeProof = text.lastIndexOf(",p=");
    if (beforeProof < 0) {
      throw malformed("no proof");
    }
    String withoutProof = text.substring(0, beforeProof);
    String[] parts = withoutProof.split(",", -1);
    if (parts.length < 2) {
      throw malformed("no nonce");
    }
    byte[] binding = SaslBase64.decodeStrictly(value(parts[0], 'c'));
    String givenNonce = value(parts[1], 'r');
    for (int i = 2; i < parts.length; i++) {
      requireAttribute(parts[i]);
    }
    byte[] proof = SaslBase64.decodeStrictly(text.substring(beforeProof + 3));
    // All comparisons are made before any answer, so that timing does not reveal which one failed.
    boolean bindingFits = MessageDigest.isEqual(binding, expectedBinding);
    boolean nonceFits =
        MessageDigest.isEqual(
            givenNonce.getBytes(StandardCharsets.UTF_8), nonce.getBytes(StandardCharsets.UTF_8));
    byte[] authMessage =
        (clientFirstBare + "," + serverFirst + "," + withoutProof).getBytes(StandardCharsets.UTF_8);
    boolean proofFits = proofFits(known, authMessage, proof);
    if (!bindingFits || !nonceFits || !proofFits) {
      String reason = !bindingFits ? "channel binding" : !nonceFits ? "nonce" : "proof";
      throw new SaslFailure(SaslCondition.NOT_AUTHORIZED, reason);
    }
    String signature = SaslBase64.encode(hmac(known.serverKey(), authMessage));
    return ("v=" + signature).getBytes(StandardCharsets.US_ASCII);
  }

  private boolean proofFits(ScramKeys known, byte[] authMessage, byte[] proof) {
    byte[] signature = hmac(known.storedKey(), authMessage);
    if (proof.length != signature.length) {
      return false;
    }
    byte[] clientKey = new byte[proof.length];
    for (int i = 0; i < proof.length; i++) {
      clientKey[i] = (byte) (proof[i] ^ signature[i]);
    }
    try {
      byte[] storedKey = MessageDigest.getInstance(mechanism.hash()).digest(clientKey);
      return MessageDigest.isEqual(storedKey, known.storedKey());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no " + mechanism.hash(), e);
    }
  }

  /// The binding data that the flag asks for (RFC 5802, section 6).
  private byte[] channelBinding(String flag) throws SaslFailure {
    if (flag.startsWith("p=")) {
      if (!mechanism.plus()) {
        throw malformed("channel binding in a mechanism without");
      }
      byte[] data = offer.binding(flag.substring(2));
      if (data == null) {
        throw new SaslFailure(SaslCondition.NOT_AUTHORIZED, "channel binding was not offered");
      }
      return data;
    }
    if (!flag.equals("n") && !flag.equals("y")) {
      throw malformed("GS2 flag");
    }
    if (mechanism.plus()) {
      throw malformed("no channel binding in a mechanism with");
    }
    if (flag.equals("y") && offer.hasBindings()) {
      // The client would have bound the channel but did not see our offer: it was removed on its
      // way.
      throw new SaslFailure(SaslCondition.NOT_AUTHORIZED, "the offer was tampered with");
    }
    return new byte[0];
  }

  private byte[] hmac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance("Hmac" + mechanism.hash().replace("-", ""));
      mac.init(new SecretKeySpec(key, mac.getAlgorithm()));
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no HMAC " + mechanism.hash(), e);
    }
  }

  private static String value(String part, char attribute) throws SaslFailure {
    if (part.length() < 3 || part.charAt(0) != attribute || part.charAt(1) != '=') {
      throw malformed("expected " + attribute + "=");
    }
    return part.substring(2);
  }

  private static void requireAttribute(String part) throws SaslFailure {
    boolean letter =
        !part.isEmpty()
            && ((part.charAt(0) >= 'a' && part.charAt(0) <= 'z')
                || (part.charAt(0) >= 'A' && part.charAt(0) <= 'Z'));
    if (!letter || part.length() < 3 || part.charAt(1) != '=' || part.charAt(0) == 'm') {
      throw malformed("extension");
    }
  }

  /// Undoes the escapes of `,` and `=`; nothing else may be escaped.
  static String saslName(String escaped) throws SaslFailure {
    StringBuilder name = new StringBuilder(escaped.length());
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c != '=') {
        name.append(c);
      } else if (escaped.startsWith("=2C", i)) {
        name.append(',');
        i += 2;
      } else if (escaped.startsWith("=3D", i)) {
        name.append('=');
        i += 2;
      } else {
        throw malformed("escape in a name");
      }
    }
    return name.toString();
  }

  private static boolean isNonce(String nonce) {
    for (int i = 0; i < nonce.length(); i++) {
      char c = nonce.charAt(i);
      if (c < 0x21 || c > 0x7e) {
        return false;
      }
    }
    return nonce.length() <= MAX_NONCE;
  }

  private static SaslFailure malformed(String reason) {
    return new SaslFailure(SaslCondition.MALFORMED_REQUEST, reason);
  }
}
