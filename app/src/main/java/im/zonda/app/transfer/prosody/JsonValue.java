package im.zonda.app.transfer.prosody;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportBounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tables that Prosody has written as JSON: values without names are in `__array`, those whose
/// names are not strings in `__hash`, as names and values in turn.
final class JsonValue {
  private static final String ARRAY = "__array";
  private static final String HASH = "__hash";

  private static JsonFactory factory() {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(ImportBounds.DEPTH * 4)
                .maxStringLength(ImportBounds.VALUE_BYTES)
                .maxDocumentLength(ImportBounds.VALUE_BYTES)
                .build())
        .build();
  }

  private JsonValue() {}

  /// Reads a value; null for `null`.
  ///
  /// @throws BadRecordException if it is no JSON
  static @Nullable LuaValue read(String text) throws BadRecordException {
    try (JsonParser parser = factory().createParser(text)) {
      parser.nextToken();
      LuaValue value = value(parser);
      if (parser.nextToken() != null) {
        throw new BadRecordException("text after the end of the JSON");
      }
      return value;
    } catch (IOException e) {
      throw new BadRecordException("damaged JSON");
    }
  }

  private static @Nullable LuaValue value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> new LuaValue.Table(array(parser), Map.of(), null);
      case VALUE_STRING -> new LuaValue.Text(parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new LuaValue.Numeral(parser.getDoubleValue());
      case VALUE_TRUE -> new LuaValue.Bool(true);
      case VALUE_FALSE -> new LuaValue.Bool(false);
      case VALUE_NULL -> null;
      case null, default -> throw new IOException("unexpected " + token);
    };
  }

  private static List<LuaValue> array(JsonParser parser) throws IOException {
    List<LuaValue> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      LuaValue value = value(parser);
      if (value != null) {
        items.add(value);
      }
    }
    return items;
  }

  private static LuaValue.Table object(JsonParser parser) throws IOException {
    Map<String, LuaValue> named = new LinkedHashMap<>();
    List<LuaValue> items = List.of();
    LuaValue atFalse = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      LuaValue value = value(parser);
      if (value instanceof LuaValue.Table table && name.equals(ARRAY)) {
        items = table.items();
      } else if (value instanceof LuaValue.Table table && name.equals(HASH)) {
        atFalse = atFalse(table.items());
      } else if (value != null) {
        named.put(name, value);
      }
    }
    return new LuaValue.Table(items, named, atFalse);
  }

  private static @Nullable LuaValue atFalse(List<LuaValue> pairs) {
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      if (pairs.get(i) instanceof LuaValue.Bool(boolean set) && !set) {
        return pairs.get(i + 1);
      }
    }
    return null;
  }
}
