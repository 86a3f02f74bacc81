package im.zonda.provider.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamedQueryTest {
  private static NamedQuery parse(String text) {
    return NamedQuery.parse(text, SqlProvider.PARAMETERS);
  }

  @Test
  void parametersAreReplacedInTheirOrder() {
    NamedQuery query = parse("select p from u where a = :local and b=:domain or c =:local;");
    assertThat(query.sql()).isEqualTo("select p from u where a = ? and b=? or c =?");
    assertThat(query.parameters()).isEqualTo(List.of("local", "domain", "local"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select ':local'",
        "select 'it''s :local'",
        "select \":local\" from \"a\"\":local\"",
        "select `:local`",
        "select 1 -- :local",
        "select 1 /* :local /* :other */ ? ; */",
        "select $$ :local ; ? $$",
        "select $x$ :local $$ $x$",
        "select a::text, b:: int",
        "select a[1:2]",
        "select @a := 1",
        "select 1 - 2 / 3",
        "select '?' , ';'"
      })
  void whatIsNoParameterStays(String text) {
    NamedQuery query = parse(text);
    assertThat(query.sql()).isEqualTo(text);
    assertThat(query.parameters()).isEmpty();
  }

  @Test
  void aCastAfterAParameterStays() {
    NamedQuery query = parse("select :local::text || $1$ || :domain -- :x\n , :local");
    assertThat(query.sql()).isEqualTo("select ?::text || $1$ || ? -- :x\n , ?");
    assertThat(query.parameters()).isEqualTo(List.of("local", "domain", "local"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select :user | has the parameter :user; known are :domain and :local",
        "select :localpart | has the parameter :localpart; known are :domain and :local",
        "select ? | has a question mark outside of quotes; parameters are :domain and :local",
        "select 1; drop table a | has more than one statement",
        "select \"a | has a quote that does not end",
        "select $$a | has a quote that does not end",
        "select /* /* a */ | has a comment that does not end",
        "' ' | must be set"
      })
  void whatCannotBeUsedIsExplained(String text, String problem) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(problem);
  }

  @Test
  void aHugeQueryIsRefused() {
    assertThatThrownBy(() -> parse("select " + "1".repeat(20_000)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
