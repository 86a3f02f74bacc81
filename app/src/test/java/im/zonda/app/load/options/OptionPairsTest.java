package im.zonda.app.load.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OptionPairsTest {
  private static final Map<String, String> DEFAULTS = Map.of("ask", "1", "sm", "on", "out", "");

  private static OptionPairs parse(String... args) {
    return new OptionPairs(List.of(args), DEFAULTS);
  }

  @Test
  void whatIsNotGivenHasItsDefault() {
    OptionPairs options = parse("--ask", "7");
    assertThat(options.number("ask")).isEqualTo(7);
    assertThat(options.isOn("sm")).isTrue();
    assertThat(options.text("out")).isEmpty();
    assertThat(options.others()).isEmpty();
  }

  @Test
  void otherArgumentsAreLeft() {
    assertThat(parse("--rate", "5", "--ask", "7", "ask", "8", "--sm").others())
        .containsExactly("--rate", "5", "ask", "8", "--sm");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "many", "-1", "4294967295", "1.5"})
  void anInvalidNumberIsNamed(String value) {
    assertThatThrownBy(() -> parse("--ask", value).number("ask"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--ask is not a number")
        .hasMessageContaining(LoadOptions.USAGE);
  }

  @Test
  void aSwitchIsOnOrOff() {
    assertThat(parse("--sm", "off").isOn("sm")).isFalse();
    assertThatThrownBy(() -> parse("--sm", "yes").isOn("sm"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--sm is neither on nor off");
  }

  @Test
  void everyErrorOfALoadHasItsOwnUsageToo() {
    for (List<String> wrong :
        List.of(
            List.of("--ask", "x"),
            List.of("--port", "x"),
            List.of("--transport", "x"),
            List.of("--unknown", "1"))) {
      assertThatThrownBy(() -> ManagedOptions.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(wrong.getFirst())
          .hasMessageEndingWith(LoadOptions.USAGE + ManagedOptions.USAGE);
    }
  }
}
