package im.zonda.console.factor;

import im.zonda.hash.HashFunction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// An answer of a browser for a passkey: the four values of its form, decoded.
///
/// @param id the identifier of the credential, in base64url
/// @param client what the browser says (`clientDataJSON`)
/// @param data what the authenticator says
/// @param signature of the authenticator; empty when it registers a passkey
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PasskeyAnswer(String id, byte[] client, byte[] data, byte[] signature) {
  private static final int MOST = 4_096;

  /// Where it must come from, and what it must answer.
  ///
  /// @param challenge what was asked, in base64url
  /// @param origin the address of the site without a path, such as `https://example.org`
  /// @param site the name in it
  public record Question(String challenge, String origin, String site) {}

  /// Decodes the values of a form; null if they are none.
  public static @Nullable PasskeyAnswer of(
      String id, String client, String data, String signature) {
    byte[] identifier = decode(id);
    byte[] clientData = decode(client);
    byte[] authenticator = decode(data);
    byte[] signed = decode(signature);
    return identifier == null
            || identifier.length == 0
            || clientData == null
            || authenticator == null
            || signed == null
        ? null
        : new PasskeyAnswer(encode(identifier), clientData, authenticator, signed);
  }

  private static byte @Nullable [] decode(String text) {
    try {
      return text.length() > MOST ? null : Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /// The passkey that it registers, which has not proved anything yet; null if it does not answer
  /// the question. Nobody has to say which model their authenticator is: an attestation is not
  /// asked for.
  public @Nullable PasskeyKey registers(Question question) {
    AuthenticatorData said = AuthenticatorData.read(data);
    if (said == null
        || said.credential() == null
        || !said.proves(question.site())
        || !isFrom(question, "webauthn.create")
        || !encode(said.credential().id()).equals(id)) {
      return null;
    }
    return said.credential().key();
  }

  /// The signatures that the authenticator has counted, if the bearer of a passkey has answered the
  /// question (section 7.2); -1 if not. An authenticator that counts must have counted on:
  /// otherwise there are two.
  public long proves(Question question, Passkey passkey) {
    AuthenticatorData said = AuthenticatorData.read(data);
    if (said == null
        || !passkey.id().equals(id)
        || !passkey.site().equals(question.site())
        || !said.proves(question.site())
        || !isFrom(question, "webauthn.get")) {
      return -1;
    }
    byte[] hash = HashFunction.SHA_256.hash(client);
    byte[] signed = Arrays.copyOf(data, data.length + hash.length);
    System.arraycopy(hash, 0, signed, data.length, hash.length);
    boolean counts = said.counter() != 0 || passkey.counter() != 0;
    boolean on = !counts || said.counter() > passkey.counter();
    return on && passkey.key().verifies(signed, signature) ? said.counter() : -1;
  }

  /// Whether the browser says that it has answered the question on a page of the site, which no
  /// other page frames. Browsers write that in one form only (section 5.8.1.2).
  private boolean isFrom(Question question, String type) {
    String wanted =
        "{\"type\":\""
            + type
            + "\",\"challenge\":\""
            + question.challenge()
            + "\",\"origin\":\""
            + question.origin()
            + "\",\"crossOrigin\":false";
    byte[] bytes = wanted.getBytes(StandardCharsets.UTF_8);
    return client.length > bytes.length
        && Arrays.equals(client, 0, bytes.length, bytes, 0, bytes.length)
        && (client[bytes.length] == ',' || client[bytes.length] == '}');
  }

  @Override
  public String toString() {
    return "answer of the passkey " + id;
  }
}
