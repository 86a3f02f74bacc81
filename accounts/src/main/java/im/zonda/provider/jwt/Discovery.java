package im.zonda.provider.jwt;

import im.zonda.account.provider.ProviderException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The description of an issuer (OpenID Connect Discovery 1.0, section 3).
///
/// @param issuer the issuer
/// @param values its members
public record Discovery(String issuer, Map<String, Object> values) {
  private static final String PATH = "/.well-known/openid-configuration";

  /// Where an issuer's description is; null if its name is no URL that may be asked.
  public static @Nullable URI place(String issuer) {
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    try {
      URI place = new URI(base + PATH);
      return JsonClient.isAllowed(place) && place.getRawQuery() == null ? place : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /// Asks an issuer. Blocks.
  ///
  /// @throws ProviderException if it does not answer, or with another issuer's description
  public static Discovery ask(JsonClient client, String issuer)
      throws ProviderException, InterruptedException {
    URI place = place(issuer);
    if (place == null) {
      throw new ProviderException("the issuer " + issuer + " is not the URL of one");
    }
    Map<String, Object> values = client.get(place);
    if (!issuer.equals(values.get("issuer"))) {
      throw new ProviderException(
          JsonClient.place(place) + " describes another issuer than " + issuer);
    }
    return new Discovery(issuer, values);
  }

  /// The URL of one of its services, such as `jwks_uri`.
  ///
  /// @throws ProviderException if it names none that may be asked
  public URI url(String name) throws ProviderException {
    if (values.get(name) instanceof String text) {
      try {
        URI url = new URI(text);
        boolean asSafe = issuer.startsWith("http:") || "https".equals(url.getScheme());
        if (asSafe && JsonClient.isAllowed(url)) {
          return url;
        }
      } catch (URISyntaxException e) {
        // answered below
      }
    }
    throw new ProviderException(
        "the description of " + issuer + " has no " + name + " that may be used");
  }
}
