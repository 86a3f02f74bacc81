package im.zonda.bench.xmpp;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// A login that binds the resource in the same step (XEP-0388, XEP-0386), by the password or by a
/// token (XEP-0484). On the client's loop.
final class InlineLogin {
  private static final String SASL = " xmlns='urn:xmpp:sasl:2'";
  private static final String FAST = " xmlns='urn:xmpp:fast:0'";
  private static final String BY_TOKEN = "HT-SHA-256-NONE";

  private final XmppClient client;
  private final ScramKeys keys;
  private final Login login;
  private final Login.Inline way;

  InlineLogin(XmppClient client, ScramKeys keys, Login login, Login.Inline way) {
    this.client = client;
    this.keys = keys;
    this.login = login;
    this.way = way;
  }

  /// Logs in.
  ///
  /// @param features those of the stream
  CompletableFuture<Void> run(String features) {
    if (!features.contains("urn:xmpp:sasl:2") || !features.contains("urn:xmpp:bind:0")) {
      throw Negotiation.refused("the server offers no login in one step: " + features);
    }
    CompletableFuture<String> success = way.token().isEmpty() ? byPassword() : byToken();
    return success.thenCompose(answer -> {
      Negotiation.expect(answer, "<success", "authorization-identifier");
      return client.next().thenAccept(_ -> begin(answer));
    });
  }

  private CompletableFuture<String> byPassword() {
    if (login.mechanism() == Login.Mechanism.PLAIN) {
      return client.ask(authenticate("PLAIN", "\0" + login.user() + "\0" + login.password(), ""));
    }
    ScramLogin scram = Negotiation.scram(login, keys);
    return client
        .ask(authenticate(login.mechanism().word(), scram.first(), ""))
        .thenCompose(answer -> {
          Negotiation.expect(answer, "<challenge", "");
          return scram.last(ScramLogin.decode(Markup.text(answer, "challenge")));
        })
        .thenComposeAsync(
            last -> client.ask("<response" + SASL + ">" + ScramLogin.encode(last) + "</response>"),
            client.loop()::execute)
        .thenApply(answer -> {
          Negotiation.expect(answer, "<success", "additional-data");
          if (!scram.isRight(ScramLogin.decode(Markup.text(answer, "additional-data")))) {
            throw Negotiation.refused("the server does not know the password");
          }
          return answer;
        });
  }

  private CompletableFuture<String> byToken() {
    byte[] name = (login.user() + "\0").getBytes(StandardCharsets.UTF_8);
    byte[] proof = hmac(way.token(), "Initiator");
    byte[] message = Arrays.copyOf(name, name.length + proof.length);
    System.arraycopy(proof, 0, message, name.length, proof.length);
    String encoded = Base64.getEncoder().encodeToString(message);
    return client
        .ask(authenticated(BY_TOKEN, encoded, "<fast" + FAST + "/>"))
        .thenApply(answer -> {
          Negotiation.expect(answer, "<success", "additional-data");
          String expected = Base64.getEncoder().encodeToString(hmac(way.token(), "Responder"));
          if (!Markup.text(answer, "additional-data").equals(expected)) {
            throw Negotiation.refused("the server does not know the token");
          }
          return answer;
        });
  }

  private static byte[] hmac(String token, String role) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return mac.doFinal(role.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no HMAC with SHA-256", e);
    }
  }

  private String authenticate(String mechanism, String message, String more) {
    return authenticated(mechanism, ScramLogin.encode(message), more);
  }

  private String authenticated(String mechanism, String encoded, String more) {
    UUID agent = UUID.nameUUIDFromBytes(login.user().getBytes(StandardCharsets.UTF_8));
    String token =
        way.wantsToken() ? "<request-token" + FAST + " mechanism='" + BY_TOKEN + "'/>" : "";
    String enable = login.management() ? "<enable xmlns='urn:xmpp:sm:3' resume='true'/>" : "";
    return "<authenticate%s mechanism='%s'><initial-response>%s</initial-response>"
            .formatted(SASL, mechanism, encoded)
        + "<user-agent id='%s'/>%s%s".formatted(agent, more, token)
        + "<bind xmlns='urn:xmpp:bind:0'>%s</bind></authenticate>".formatted(enable);
  }

  private void begin(String success) {
    int token = success.indexOf("<token");
    if (token >= 0) {
      String given = Markup.attribute(success.substring(token), "token");
      client.give(Objects.requireNonNullElse(given, ""));
    }
    int enabled = success.indexOf("<enabled");
    String id = enabled < 0 ? null : Markup.attribute(success.substring(enabled), "id");
    client.begin(
        Markup.text(success, "authorization-identifier"),
        Objects.requireNonNullElse(id, ""),
        enabled >= 0,
        0);
    if (login.presence()) {
      client.send("<presence/>");
    }
  }
}
