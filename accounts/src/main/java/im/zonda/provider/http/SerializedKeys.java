package im.zonda.provider.http;

import im.zonda.account.provider.ProviderException;
import im.zonda.store.ScramKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/// SCRAM keys as MongooseIM writes them: `==MULTI_SCRAM==,ITERATIONS,==SHA256==SALT|STORED
/// KEY|SERVER KEY,…`, or, for SHA-1 only, `==SCRAM==,STORED KEY,SERVER KEY,SALT,ITERATIONS`.
final class SerializedKeys {
  private static final String MULTIPLE = "==MULTI_SCRAM==,";
  private static final String SINGLE = "==SCRAM==,";

  /// The hashes by their prefixes; keys for others are left out.
  private static final Map<String, String> HASHES =
      Map.of("===SHA1===", "SHA-1", "==SHA256==", "SHA-256", "==SHA512==", "SHA-512");

  private static final int PREFIX_CHARS = 10;
  private static final int MOST_FIELDS = 16;

  private SerializedKeys() {}

  /// Reads keys.
  ///
  /// @throws ProviderException if it is something else, such as a password
  static List<ScramKeys> read(String text) throws ProviderException {
    if (text.startsWith(MULTIPLE)) {
      return multiple(text.substring(MULTIPLE.length()).split(",", MOST_FIELDS));
    }
    String[] fields =
        text.startsWith(SINGLE) ? text.substring(SINGLE.length()).split(",", 5) : null;
    if (fields == null || fields.length != 4) {
      throw new ProviderException("get_password has not answered with SCRAM keys");
    }
    return List.of(GivenKeys.of("SHA-1", iterations(fields[3]), fields[2], fields[0], fields[1]));
  }

  private static List<ScramKeys> multiple(String[] fields) throws ProviderException {
    long iterations = iterations(fields[0]);
    List<ScramKeys> all = new ArrayList<>();
    for (String field : Arrays.asList(fields).subList(1, fields.length)) {
      String[] keys = field.split("\\|", 4);
      if (keys.length != 3 || keys[0].length() < PREFIX_CHARS) {
        throw new ProviderException(
            "get_password has answered with SCRAM keys that have no fields");
      }
      String hash = HASHES.get(keys[0].substring(0, PREFIX_CHARS));
      if (hash != null) {
        all.add(GivenKeys.of(hash, iterations, keys[0].substring(PREFIX_CHARS), keys[1], keys[2]));
      }
    }
    if (all.isEmpty()) {
      throw new ProviderException("get_password has answered with keys of other hashes only");
    }
    return all;
  }

  private static long iterations(String text) {
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : -1;
  }

  /// Whether the keys are those of a password (RFC 5802, section 3).
  ///
  /// @param keys at least one
  static boolean match(List<ScramKeys> keys, String password) {
    ScramKeys first = keys.getFirst();
    String mac = "Hmac" + first.hash().replace("-", "");
    char[] chars = password.toCharArray();
    PBEKeySpec spec =
        new PBEKeySpec(chars, first.salt(), first.iterations(), first.storedKey().length * 8);
    try {
      byte[] salted =
          SecretKeyFactory.getInstance("PBKDF2With" + mac).generateSecret(spec).getEncoded();
      Mac hmac = Mac.getInstance(mac);
      hmac.init(new SecretKeySpec(salted, mac));
      byte[] clientKey = hmac.doFinal("Client Key".getBytes(StandardCharsets.US_ASCII));
      byte[] storedKey = MessageDigest.getInstance(first.hash()).digest(clientKey);
      return MessageDigest.isEqual(storedKey, first.storedKey());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot derive keys with " + mac, e);
    } finally {
      spec.clearPassword();
      Arrays.fill(chars, '\0');
    }
  }
}
