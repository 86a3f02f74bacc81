package im.zonda.module.external;

import im.zonda.config.ExternalService;
import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Creates credentials for services: the ones in the configuration or, with a shared secret,
/// time-limited ones as TURN servers accept them (draft-uberti-behave-turn-rest-00): the user name
/// is the time at which they expire, in seconds since 1970, a colon and a name; the password is the
/// HMAC-SHA-1 of the user name in Base64.
///
/// An account has the same user name for a fourth of the lifetime, so that the service can limit
/// each user, and clients that ask again keep their allocations. The name is derived with a key of
/// this process: the service does not learn who uses it.
final class Credentials {
  private static final String HMAC = "HmacSHA1";

  /// Bytes of the name.
  private static final int NAME_BYTES = 15;

  /// How many times the user name changes in the lifetime of a password.
  private static final int CHANGES = 4;

  private final InstantSource clock;
  private final String key;

  Credentials(InstantSource clock, IdSource ids) {
    this.clock = clock;
    this.key = ids.next();
  }

  /// Adds the credentials of an account to the description of a service.
  void addTo(Element.Builder element, ExternalService service, Jid account) {
    String secret = service.secret();
    if (secret == null) {
      element.attribute("username", service.username()).attribute("password", service.password());
      return;
    }
    long seconds = service.lifetime().toSeconds();
    long period = Math.max(1, seconds / CHANGES);
    long start = clock.instant().getEpochSecond() / period * period;
    Instant expires = Instant.ofEpochSecond(start + seconds);
    String username = expires.getEpochSecond() + ":" + name(account, expires);
    element
        .attribute("username", username)
        .attribute("password", password(secret, username))
        .attribute("expires", expires.toString());
  }

  private String name(Jid account, Instant expires) {
    byte[] sum = sum(key, account.bare() + " " + expires.getEpochSecond());
    return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(sum, NAME_BYTES));
  }

  /// The HMAC-SHA-1 of a user name, in Base64.
  static String password(String secret, String username) {
    return Base64.getEncoder().encodeToString(sum(secret, username));
  }

  private static byte[] sum(String secret, String text) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), HMAC));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has " + HMAC, e);
    }
  }
}
