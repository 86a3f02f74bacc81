package im.zonda.testkit.client;

import com.ongres.scram.common.util.TlsServerEndpoint;
import im.zonda.testkit.xml.XmlElement;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/// The client's half of SASL (RFC 6120, section 6; RFC 5802).
final class Sasl {
  private static final List<String> STRONGEST_FIRST =
      List.of(
          "SCRAM-SHA-512-PLUS",
          "SCRAM-SHA-256-PLUS",
          "SCRAM-SHA-1-PLUS",
          "SCRAM-SHA-512",
          "SCRAM-SHA-256",
          "SCRAM-SHA-1",
          "PLAIN");

  private final ScriptedClient client;
  private final Wire wire;

  Sasl(ScriptedClient client, Wire wire) {
    this.client = client;
    this.wire = wire;
  }

  /// The default mechanism of a client.
  static String strongest(XmlElement features) {
    XmlElement mechanisms = features.child(ScriptedClient.SASL, "mechanisms");
    List<String> offered =
        mechanisms == null
            ? List.of()
            : mechanisms.children().stream().map(XmlElement::text).toList();
    return STRONGEST_FIRST.stream()
        .filter(offered::contains)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no known mechanism among " + offered));
  }

  /// The final element of the server: `success` or `failure`.
  XmlElement authenticate(Login login, String mechanism) {
    return mechanism.equals("PLAIN") ? plain(login) : scram(login, mechanism);
  }

  private XmlElement plain(Login login) {
    send(
        "<auth xmlns='" + ScriptedClient.SASL + "' mechanism='PLAIN'>",
        "\0" + login.user() + "\0" + login.password(),
        "auth");
    return client.receive();
  }

  private XmlElement scram(Login login, String mechanism) {
    boolean plus = mechanism.endsWith("-PLUS");
    String hash = mechanism.substring("SCRAM-".length()).replace("-PLUS", "");
    Scram scram = plus ? bound(login, hash) : scram(login, hash, "n,,", new byte[0]);
    send(
        "<auth xmlns='" + ScriptedClient.SASL + "' mechanism='" + mechanism + "'>",
        scram.first(),
        "auth");
    XmlElement challenge = client.receive();
    if (!challenge.is(ScriptedClient.SASL, "challenge")) {
      return challenge;
    }
    send(
        "<response xmlns='" + ScriptedClient.SASL + "'>",
        scram.last(decode(challenge.text()), login.password()),
        "response");
    XmlElement last = client.receive();
    if (last.is(ScriptedClient.SASL, "success") && !scram.proves(decode(last.text()))) {
      throw new AssertionError("the server does not prove that it knows the password");
    }
    return last;
  }

  private Scram bound(Login login, String hash) {
    return bound(login, hash, wire);
  }

  /// An exchange bound to the connection's TLS.
  static Scram bound(Login login, String hash, Wire wire) {
    SSLSession tls = Objects.requireNonNull(wire.tls(), "channel binding needs TLS");
    String type = login.binding() == null ? fittingBinding(tls) : login.binding();
    return scram(login, hash, "p=" + type + ",,", bindingData(type, tls));
  }

  static Scram scram(Login login, String hash, String header, byte[] binding) {
    return new Scram(hash, header, binding, login.user(), UUID.randomUUID().toString())
        .keeping(login.keys());
  }

  static String fittingBinding(SSLSession tls) {
    return tls.getProtocol().equals("TLSv1.3") ? "tls-exporter" : "tls-server-end-point";
  }

  /// The channel binding data of that type.
  static byte[] bindingData(String type, SSLSession tls) {
    try {
      if (type.equals("tls-exporter")) {
        return ((ExtendedSSLSession) tls)
            .exportKeyingMaterialData("EXPORTER-Channel-Binding", new byte[0], 32);
      }
      return TlsServerEndpoint.getChannelBindingData(
          (X509Certificate) tls.getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException | CertificateEncodingException e) {
      throw new AssertionError("no channel binding " + type, e);
    } catch (javax.net.ssl.SSLKeyException e) {
      throw new AssertionError("no key for channel binding", e);
    }
  }

  private void send(String startTag, String data, String name) {
    String encoded = Base64.getEncoder().encodeToString(data.getBytes(StandardCharsets.UTF_8));
    client.send(startTag + encoded + "</" + name + ">");
  }

  static String decode(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }
}
