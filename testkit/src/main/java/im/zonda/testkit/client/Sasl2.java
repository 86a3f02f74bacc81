package im.zonda.testkit.client;

import im.zonda.testkit.xml.XmlElement;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The client's half of XEP-0388, by a password or by a token (XEP-0484 with the mechanisms of
/// draft-schmaus-kitten-sasl-ht-09).
final class Sasl2 {
  static final String NAMESPACE = "urn:xmpp:sasl:2";

  private final ScriptedClient client;
  private final Wire wire;

  Sasl2(ScriptedClient client, Wire wire) {
    this.client = client;
    this.wire = wire;
  }

  /// The final element of the server: `success`, `failure` or `continue`.
  XmlElement password(Login login, String mechanism, String more) {
    if (mechanism.equals("PLAIN")) {
      String message = "\0" + login.user() + "\0" + login.password();
      client.send(authenticate(mechanism, utf8(message), more));
      return client.receive();
    }
    String hash = mechanism.substring("SCRAM-".length()).replace("-PLUS", "");
    Scram scram =
        mechanism.endsWith("-PLUS")
            ? Sasl.bound(login, hash, wire)
            : Sasl.scram(login, hash, "n,,", new byte[0]);
    client.send(authenticate(mechanism, utf8(scram.first()), more));
    XmlElement challenge = client.receive();
    if (!challenge.is(NAMESPACE, "challenge")) {
      return challenge;
    }
    String last = scram.last(Sasl.decode(challenge.text()), login.password());
    client.send("<response xmlns='" + NAMESPACE + "'>" + base64(utf8(last)) + "</response>");
    XmlElement answer = client.receive();
    XmlElement data = answer.child(NAMESPACE, "additional-data");
    boolean told = answer.is(NAMESPACE, "success") || answer.is(NAMESPACE, "continue");
    if (told && (data == null || !scram.proves(Sasl.decode(data.text())))) {
      throw new AssertionError("the server does not prove that it knows the password");
    }
    return answer;
  }

  /// The request of a client that has a token.
  String byToken(Login login, String mechanism, String token, String more) {
    byte[] proof = hmac(token, "Initiator", binding(mechanism));
    byte[] name = utf8(login.user() + "\0");
    byte[] message = Arrays.copyOf(name, name.length + proof.length);
    System.arraycopy(proof, 0, message, name.length, proof.length);
    return authenticate(mechanism, message, "<fast xmlns='urn:xmpp:fast:0'/>" + more);
  }

  /// Whether the server proves that it knows the token too.
  boolean proves(XmlElement success, String mechanism, String token) {
    XmlElement data = success.child(NAMESPACE, "additional-data");
    byte[] expected = hmac(token, "Responder", binding(mechanism));
    return data != null && MessageDigest.isEqual(expected, Base64.getDecoder().decode(data.text()));
  }

  private byte @Nullable [] binding(String mechanism) {
    if (mechanism.endsWith("-NONE")) {
      return null;
    }
    String type = mechanism.endsWith("-EXPR") ? "tls-exporter" : "tls-server-end-point";
    return Sasl.bindingData(type, Objects.requireNonNull(wire.tls(), "no TLS"));
  }

  private static byte[] hmac(String token, String role, byte @Nullable [] binding) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(utf8(token), "HmacSHA256"));
      mac.update(utf8(role));
      return binding == null ? mac.doFinal() : mac.doFinal(binding);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String authenticate(String mechanism, byte[] message, String more) {
    return "<authenticate xmlns='"
        + NAMESPACE
        + "' mechanism='"
        + mechanism
        + "'><initial-response>"
        + base64(message)
        + "</initial-response>"
        + more
        + "</authenticate>";
  }

  private static String base64(byte[] message) {
    return Base64.getEncoder().encodeToString(message);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
