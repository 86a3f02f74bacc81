package im.zonda.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads JSON (RFC 8259): objects as maps, arrays as lists, strings, whole numbers as `Long` if
/// they fit, others as `Double`, booleans, null. A name that comes twice in an object is an error.
public final class JsonReader {
  private static final int MAX_DEPTH = 16;

  private JsonReader() {}

  private static JsonParser parser(String text) throws IOException {
    return JsonFactory.builder()
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
        .build()
        .createParser(text);
  }

  /// Reads an object.
  ///
  /// @throws IllegalArgumentException if the text is none
  public static Map<String, @Nullable Object> object(String text) {
    try (JsonParser parser = parser(text)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        Map<String, @Nullable Object> members = members(parser);
        if (parser.nextToken() == null) {
          return members;
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("no JSON", e);
    }
    throw new IllegalArgumentException("no JSON object");
  }

  private static Map<String, @Nullable Object> members(JsonParser parser) throws IOException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, value(parser));
    }
    return members;
  }

  private static List<@Nullable Object> elements(JsonParser parser) throws IOException {
    List<@Nullable Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return elements;
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> members(parser);
      case START_ARRAY -> elements(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT ->
          parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? (Object) parser.getDoubleValue()
              : (Object) parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new IOException("unexpected " + parser.currentToken());
    };
  }
}
