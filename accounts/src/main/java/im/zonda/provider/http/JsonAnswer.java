package im.zonda.provider.http;

import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.json.JsonReader;
import im.zonda.store.ScramKeys;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An answer to a question in JSON: `{"result":"yes",…}`. What has another form than it should is
/// an error; members that are not known are not read.
///
/// @param result what was answered
/// @param members the other members
record JsonAnswer(Result result, Map<String, @Nullable Object> members) {
  private static final int OK = 200;

  /// What the service has answered.
  enum Result {
    YES,
    NO,
    UNKNOWN
  }

  /// Reads an answer.
  static JsonAnswer of(HttpResponse<byte[]> response) throws ProviderException {
    if (response.statusCode() != OK) {
      boolean isRedirect = response.statusCode() / 100 == 3;
      throw new ProviderException(
          "the service has answered with the status "
              + response.statusCode()
              + (isRedirect ? "; redirects are not followed" : ""));
    }
    String type = response.headers().firstValue("Content-Type").orElse("");
    String mediaType = type.toLowerCase(Locale.ROOT).split(";", 2)[0].strip();
    if (!mediaType.equals("application/json")) {
      throw new ProviderException("the Content-Type of the answer is not application/json");
    }
    Map<String, @Nullable Object> members;
    try {
      members = JsonReader.object(text(response.body()));
    } catch (IllegalArgumentException e) {
      // The reason may quote the answer.
      throw new ProviderException("the answer is not a JSON object");
    }
    Result result =
        switch (string(members.get("result"), "result")) {
          case "yes" -> Result.YES;
          case "no" -> Result.NO;
          case "unknown" -> Result.UNKNOWN;
          default ->
              throw new ProviderException("the result is not \"yes\", \"no\" or \"unknown\"");
        };
    return new JsonAnswer(result, members);
  }

  private static String text(byte[] body) throws ProviderException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw new ProviderException("the answer is not in UTF-8");
    }
  }

  /// The account that it describes.
  ///
  /// @param local the local part that was asked for
  ProvidedAccount account(String local) throws ProviderException {
    if (members.get("attributes") == null) {
      return ProvidedAccount.of(local);
    }
    Map<?, ?> attributes = object(members.get("attributes"), "attributes");
    return new ProvidedAccount(
        local,
        id(attributes.get("id")),
        flag(attributes.get("disabled"), "disabled"),
        cut(attributes.get("name"), "name"),
        cut(attributes.get("email"), "email"));
  }

  /// The SCRAM keys that it has.
  List<ScramKeys> keys() throws ProviderException {
    List<ScramKeys> keys = new ArrayList<>();
    for (Map.Entry<?, ?> entry : object(members.get("keys"), "keys").entrySet()) {
      String hash = entry.getKey().toString();
      Map<?, ?> fields = object(entry.getValue(), hash);
      if (!(fields.get("iterations") instanceof Long iterations)) {
        throw wrong("iterations");
      }
      keys.add(
          GivenKeys.of(
              hash,
              iterations,
              string(fields.get("salt"), "salt"),
              string(fields.get("storedKey"), "storedKey"),
              string(fields.get("serverKey"), "serverKey")));
    }
    return keys;
  }

  private static @Nullable String id(@Nullable Object value) throws ProviderException {
    return switch (value) {
      case null -> null;
      case Long number -> number.toString();
      case String text when !text.isEmpty() && text.length() <= ProvidedAccount.MOST_CHARS -> text;
      default -> throw wrong("id");
    };
  }

  private static boolean flag(@Nullable Object value, String name) throws ProviderException {
    return switch (value) {
      case null -> false;
      case Boolean flag -> flag;
      default -> throw wrong(name);
    };
  }

  private static @Nullable String cut(@Nullable Object value, String name)
      throws ProviderException {
    if (value == null) {
      return null;
    }
    String text = string(value, name);
    if (text.length() <= ProvidedAccount.MOST_CHARS) {
      return text;
    }
    int end = ProvidedAccount.MOST_CHARS;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
  }

  /// A member that must be a string.
  static String string(@Nullable Object value, String name) throws ProviderException {
    if (value instanceof String text) {
      return text;
    }
    throw wrong(name);
  }

  /// A member that must be an object.
  static Map<?, ?> object(@Nullable Object value, String name) throws ProviderException {
    if (value instanceof Map<?, ?> members) {
      return members;
    }
    throw wrong(name);
  }

  /// A member that must be an array.
  static List<?> array(@Nullable Object value, String name) throws ProviderException {
    if (value instanceof List<?> elements) {
      return elements;
    }
    throw wrong(name);
  }

  private static ProviderException wrong(String name) {
    return new ProviderException("the answer has no \"" + name + "\" that can be used");
  }

  /// Without what is in it.
  @Override
  public String toString() {
    return "JsonAnswer[" + result + "]";
  }
}
