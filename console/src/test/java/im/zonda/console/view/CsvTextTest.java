package im.zonda.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CsvTextTest {
  @Test
  void valuesAreQuoted() {
    assertThat(CsvText.line(List.of("a", "b \"c\"", "d,\ne", "")))
        .isEqualTo("\"a\",\"b \"\"c\"\"\",\"d,\ne\",\"\"\r\n");
  }

  /// Spreadsheets run what begins so.
  @Test
  void noValueIsAFormula() {
    assertThat(CsvText.line(List.of("=1+1", "+x", "-x", "@x", "\tx", "-12", "-1.5")))
        .isEqualTo("\"'=1+1\",\"'+x\",\"'-x\",\"'@x\",\"'\tx\",\"-12\",\"-1.5\"\r\n");
  }
}
