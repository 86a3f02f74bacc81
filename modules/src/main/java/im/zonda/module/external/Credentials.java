package im.zonda.module.external;

import im.zonda.config.ExternalService;
import im.zonda.module.IdSource;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Creates credentials for services: the ones in the configuration or, with a shared secret,
/// time-limited ones as TURN servers accept them (draft-uberti-behave-turn-rest-00): the user name
/// is the time at which they expire, in seconds since 1970, a colon and a name; the password is the
/// HMAC-SHA-1 of the user name in Base64.
///
/// The name is random, so that the service does not learn who uses it.
final class Credentials {
  private static final String HMAC = "HmacSHA1";

  private final InstantSource clock;
  private final IdSource ids;

  Credentials(InstantSource clock, IdSource ids) {
    this.clock = clock;
    this.ids = ids;
  }

  /// Adds the credentials to the description of a service.
  void addTo(Element.Builder element, ExternalService service) {
    String secret = service.secret();
    if (secret == null) {
      element.attribute("username", service.username()).attribute("password", service.password());
      return;
    }
    Instant expires = clock.instant().plus(service.lifetime()).truncatedTo(ChronoUnit.SECONDS);
    String username = expires.getEpochSecond() + ":" + ids.next();
    element
        .attribute("username", username)
        .attribute("password", password(secret, username))
        .attribute("expires", expires.toString());
  }

  /// The HMAC-SHA-1 of a user name, in Base64.
  static String password(String secret, String username) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), HMAC));
      byte[] sum = mac.doFinal(username.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(sum);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has " + HMAC, e);
    }
  }
}
