package im.zonda.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonReaderTest {
  @Test
  void valuesAreRead() {
    assertThat(
            JsonReader.object(
                " {\"a\" : [1, -2.5e1, true, {\"b\":\"\\u00e4\\n\\\"\"}, []], \"c\":{}}\n"))
        .isEqualTo(
            Map.of("a", List.of(1L, -25.0, true, Map.of("b", "ä\n\""), List.of()), "c", Map.of()));
    assertThat(JsonReader.object("{\"a\":null}")).containsEntry("a", null);
  }

  @Test
  void otherTextIsRejected() {
    for (String text :
        List.of(
            "",
            "[]",
            "{",
            "{}x",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\":tru}",
            "{a:1}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\n\"}",
            "{\"a\":\"\\u12",
            "{\"a\":1 \"b\":2}",
            "{\"a\":1,\"a\":2}",
            "{\"a\":" + "[".repeat(100))) {
      assertThatThrownBy(() -> JsonReader.object(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
