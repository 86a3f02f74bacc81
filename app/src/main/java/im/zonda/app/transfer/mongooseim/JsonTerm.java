package im.zonda.app.transfer.mongooseim;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportBounds;
import im.zonda.app.transfer.erlang.Term;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Options that MongooseIM writes as JSON and ejabberd as terms. An object is a list of pairs.
final class JsonTerm {
  private JsonTerm() {}

  private static JsonFactory factory() {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(ImportBounds.DEPTH)
                .maxStringLength(ImportBounds.VALUE_BYTES)
                .maxDocumentLength(ImportBounds.VALUE_BYTES)
                .build())
        .build();
  }

  /// Reads an object.
  ///
  /// @throws BadRecordException if the text is none
  static Term.Items read(String text) throws BadRecordException {
    try (JsonParser parser = factory().createParser(text)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        Term.Items object = object(parser);
        if (parser.nextToken() == null) {
          return object;
        }
      }
      throw new BadRecordException("not one object in JSON");
    } catch (IOException e) {
      throw new BadRecordException("damaged JSON");
    }
  }

  private static Term value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> new Term.Text(parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Term.Numeral(parser.getText());
      case VALUE_TRUE, VALUE_FALSE, VALUE_NULL -> new Term.Atom(parser.getText());
      case null, default -> throw new IOException("unexpected " + token);
    };
  }

  private static Term array(JsonParser parser) throws IOException {
    List<Term> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(value(parser));
    }
    return new Term.Items(items);
  }

  private static Term.Items object(JsonParser parser) throws IOException {
    List<Term> pairs = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      Term name = new Term.Atom(parser.currentName());
      parser.nextToken();
      pairs.add(new Term.Tuple(List.of(name, value(parser))));
    }
    return new Term.Items(pairs);
  }
}
