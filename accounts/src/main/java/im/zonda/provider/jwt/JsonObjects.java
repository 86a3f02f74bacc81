package im.zonda.provider.jwt;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// JSON objects of strangers: strict UTF-8, no name twice.
final class JsonObjects {
  private JsonObjects() {}

  /// Reads one.
  ///
  /// @throws ParseException if it is none; the exception may quote it
  static Map<String, Object> parse(byte[] bytes) throws ParseException {
    @Nullable Map<String, Object> object;
    try {
      object =
          JSONObjectUtils.parse(
              StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      throw new ParseException("not UTF-8", 0);
    }
    if (object == null) { // of `null`, and of nothing at all
      throw new ParseException("no object", 0);
    }
    return object;
  }
}
