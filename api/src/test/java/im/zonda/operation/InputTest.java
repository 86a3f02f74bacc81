package im.zonda.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InputTest {
  enum Order {
    NAME,
    LAST_LOGIN
  }

  record Inner(@Field("a word") String word) {}

  record Everything(
      @Field("who") Jid account,
      @Field(value = "where", form = Field.Form.DOMAIN) @Nullable String host,
      @Field(value = "how many", min = 1, max = 500, fallback = "50") int limit,
      @Field("a number") @Nullable Long number,
      @Field("whether") boolean all,
      @Field(value = "in which order", fallback = "name") Order order,
      @Field("since when") @Nullable Instant since,
      @Field("for how long") @Nullable Duration period,
      @Field(value = "how much", form = Field.Form.BYTES) @Nullable Long size,
      @Field(value = "what to say", form = Field.Form.LINES) @Nullable String text,
      @Field("the password") @Nullable Secret password,
      @Field(value = "others", max = 3) List<Jid> others,
      @Field("more") @Nullable Inner inner) {}

  private static final Shape SHAPE = Shape.of(Everything.class);

  private static Everything read(Map<String, ?> given) throws InvalidInputException {
    return (Everything) Input.read(SHAPE, given);
  }

  @Test
  void whatIsNotGivenHasItsFallback() throws Exception {
    assertThat(read(Map.of("account", "alice@a.example")))
        .isEqualTo(
            new Everything(
                Jid.of("alice@a.example"),
                null,
                50,
                null,
                false,
                Order.NAME,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                null));
  }

  @Test
  void textsStandForEveryKind() throws Exception {
    Map<String, Object> given = new LinkedHashMap<>();
    given.put("account", "alice@a.example");
    given.put("host", "A.example");
    given.put("limit", "7");
    given.put("number", "9");
    given.put("all", "true");
    given.put("order", "last-login");
    given.put("since", "2026-11-28T14:03:00Z");
    given.put("period", "7d");
    given.put("size", "5MiB");
    given.put("text", "one\ntwo");
    given.put("password", "secret");
    given.put("others", "bob@a.example, carol@a.example");
    given.put("inner", Map.of("word", "x"));
    Everything read = read(given);
    assertThat(read.host()).isEqualTo("a.example");
    assertThat(read.limit()).isEqualTo(7);
    assertThat(read.number()).isEqualTo(9);
    assertThat(read.all()).isTrue();
    assertThat(read.order()).isEqualTo(Order.LAST_LOGIN);
    assertThat(read.since()).isEqualTo(Instant.parse("2026-11-28T14:03:00Z"));
    assertThat(read.period()).isEqualTo(Duration.ofDays(7));
    assertThat(read.size()).isEqualTo(5 << 20);
    assertThat(read.others()).containsExactly(Jid.of("bob@a.example"), Jid.of("carol@a.example"));
    assertThat(read).asString().doesNotContain("secret\"").contains("(secret)");
    assertThat(SHAPE.data(read))
        .containsEntry("period", "7d")
        .containsEntry("order", "last-login")
        .containsEntry("others", List.of("bob@a.example", "carol@a.example"))
        .containsEntry("inner", Map.of("word", "x"));
  }

  @Test
  void theLargestNumberCanBeAText() throws Exception {
    Map<String, Object> given =
        Map.of("account", "alice@a.example", "number", Long.toString(Long.MAX_VALUE));
    assertThat(read(given).number()).isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @CsvSource({
    "limit,0",
    "limit,501",
    "limit,1.5",
    "limit,99999999999999999999",
    "number,x",
    "number,9223372036854775808",
    "all,yes",
    "order,size",
    "since,yesterday",
    "period,7",
    "period,999999999999d",
    "size,-1",
    "host,a@b",
    "host,''",
    "others,'a@x,b@x,c@x,d@x'",
    "inner,x",
    "unknown,x"
  })
  void aWrongValueIsNamed(String field, String value) {
    assertThatThrownBy(() -> read(Map.of("account", "alice@a.example", field, value)))
        .isInstanceOfSatisfying(
            InvalidInputException.class, e -> assertThat(e.field()).isEqualTo(field));
  }

  @Test
  void controlCharactersAndHalvesOfCharactersAreNoText() {
    for (String text : List.of("a\0", "a\u001b[2J", "\ud800", "\udc00x")) {
      assertThatThrownBy(() -> read(Map.of("account", "alice@a.example", "text", text)))
          .as("%x", (int) text.charAt(0))
          .isInstanceOf(InvalidInputException.class);
    }
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThatThrownBy(() -> read(Map.of())).hasMessage("account is missing: who.");
    assertThatThrownBy(() -> read(Map.of("account", "@a.example")))
        .hasMessageStartingWith("account is not an address");
    assertThatThrownBy(
            () -> read(Map.of("account", "alice@a.example", "inner", Map.of("other", 1))))
        .hasMessageContaining("inner.other");
  }

  record NoField(String word) {}

  record NoValue(@Field("x") Thread thread) {}

  @Test
  void aRecordThatNoAdapterCouldReadIsFoundWhenItIsDeclared() {
    assertThatThrownBy(() -> Shape.of(NoField.class)).hasMessageContaining("has no @Field");
    assertThatThrownBy(() -> Shape.of(NoValue.class)).hasMessageContaining("java.lang.Thread");
  }
}
