package im.zonda.app.transfer.erlang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.transfer.BadRecordException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TermReaderTest {
  @Test
  void termsAreRead() throws BadRecordException {
    Term term =
        TermReader.read(
            """
            [{title,<<"The Coven">>}, {'quoted atom', "a string"},{n,-12}, {f,1.5e3},
             {bytes,<<82,195,169>>},{latin,<<"R\u00c3\u00a9">>},{wide,<<"R\u00e9\u2764"/utf8>>},
             {empty,<<>>},{list,[]},{map,#{a => 1}},{esc,<<"a\\"b\\\\\\n\\x{e9}\\303\\251">>}].
            """);
    assertThat(Term.words(Term.find(term, "title"))).isEqualTo("The Coven");
    assertThat(Term.words(Term.find(term, "quoted atom"))).isEqualTo("a string");
    assertThat(Term.words(Term.find(term, "n"))).isEqualTo("-12");
    assertThat(Term.words(Term.find(term, "f"))).isEqualTo("1.5e3");
    assertThat(Term.words(Term.find(term, "bytes"))).isEqualTo("R\u00e9");
    assertThat(Term.words(Term.find(term, "latin"))).isEqualTo("R\u00e9");
    assertThat(Term.words(Term.find(term, "wide"))).isEqualTo("R\u00e9\u2764");
    assertThat(Term.words(Term.find(term, "empty"))).isEmpty();
    assertThat(Term.find(term, "list")).isEqualTo(new Term.Items(List.of()));
    assertThat(Term.words(Term.find(new Term.Items(List.of()), "a"))).isNull();
    assertThat(Term.find(term, "map")).isInstanceOf(Term.Items.class);
    assertThat(Term.words(Term.find(term, "esc"))).startsWith("a\"b\\\n");
  }

  @Test
  void stringsThatFollowEachOtherAreOne() throws BadRecordException {
    Term term = TermReader.read("{<<\"a\"\n  \"b\">>,\"c\" \"d\"}.");
    assertThat(term).isEqualTo(new Term.Tuple(List.of(new Term.Text("ab"), new Term.Text("cd"))));
  }

  @Test
  void theBeginningOfATupleIsRead() throws BadRecordException {
    assertThat(TermReader.head("{a,{1,2},<<\"cut o", 2))
        .containsExactly(
            new Term.Atom("a"),
            new Term.Tuple(List.of(new Term.Numeral("1"), new Term.Numeral("2"))));
    assertThatThrownBy(() -> TermReader.head("{a,{1,", 2)).isInstanceOf(BadRecordException.class);
    assertThatThrownBy(() -> TermReader.head("[a]", 1)).isInstanceOf(BadRecordException.class);
  }

  @Test
  void anythingElseIsAnError() {
    for (String text :
        List.of(
            "",
            "[",
            "{a",
            "[a b]",
            "[a,]",
            "Variable",
            "fun() -> ok end",
            "os:cmd(\"x\")",
            "#Ref<0.1.2>",
            "<0.1.0>",
            "<<300>>",
            "<<\"a\"",
            "<<1,>>",
            "\"a",
            "\"\\x{zz}\"",
            "\"\\x{110000}\"",
            "a b",
            "a. b",
            "a".repeat(300),
            "[".repeat(5_000),
            "{".repeat(200) + "}".repeat(200))) {
      assertThatThrownBy(() -> TermReader.read(text))
          .as(text)
          .isInstanceOf(BadRecordException.class);
    }
    String many = "[" + "a,".repeat(500_000) + "a]";
    assertThatThrownBy(() -> TermReader.read(many)).hasMessageContaining("too long");
  }
}
