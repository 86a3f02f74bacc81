package im.zonda.app.transfer.erlang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.transfer.BadRecordException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

/// The bytes are those that `term_to_binary` of Erlang/OTP 25 has made.
class ExternalTermTest {
  /// Of the term `{tuple, 42, -7, 1 bsl 70, -(1 bsl 33), 1.5, "string", Text, [], [a | [Text]], #{k
  /// => Text}, true}`.
  private static final String EACH_KIND =
      "83680C6400057475706C65612A62FFFFFFF96E09000000000000000000406E05010000000002463FF800000000"
          + "00006B0006737472696E676D00000006526F6DC3A96F6A6C00000002640001616D00000001626A740000"
          + "00016400016B6D000000017664000474727565";

  private static final String COMPRESSED_MESSAGE =
      "8350000000DA789CCB60496160ADC8CD49CDC965606060CF4D2D2E4E4C4F2D01B29940022C6945F9B9208620904"
          + "ECD7748D44BAD48CC2DC849D5AF004B975416A48219C919892539400663068A812C49F9299520D31820"
          + "924C290C1C40C9E494C49244907C8463A5426EAAA2828D9A9D02559959590036B035BB";

  private static Term read(String hex) throws BadRecordException {
    return ExternalTerm.read(HexFormat.of().parseHex(hex));
  }

  @Test
  void termsOfEachKindAreRead() throws BadRecordException {
    assertThat(read(EACH_KIND))
        .isEqualTo(
            new Term.Tuple(
                List.of(
                    new Term.Atom("tuple"),
                    new Term.Numeral("42"),
                    new Term.Numeral("-7"),
                    new Term.Numeral("1180591620717411303424"),
                    new Term.Numeral("-8589934592"),
                    new Term.Numeral("1.5"),
                    new Term.Text("string"),
                    new Term.Text("Rom\u00e9o"),
                    new Term.Items(List.of()),
                    new Term.Items(List.of(new Term.Atom("a"), new Term.Text("b"))),
                    new Term.Items(
                        List.of(new Term.Tuple(List.of(new Term.Atom("k"), new Term.Text("v"))))),
                    new Term.Atom("true"))));
    assertThat(read("83770361C3A9")).isEqualTo(new Term.Atom("a\u00e9"));
  }

  @Test
  void elementsAreRead() throws BadRecordException {
    String body = "Ay me! &lt;&amp;&gt; ".repeat(8);
    assertThat(XmlTerm.read(read(COMPRESSED_MESSAGE)).toString())
        .contains("from='romeo@a.example/x'", "type='chat'", "<body>" + body + "</body>");
    Term old =
        TermReader.read(
            """
            {xmlel,<<"iq">>,[{<<"xml:lang">>,<<"en">>},{<<"id">>,<<"<'\\"\\n">>}],
              [{xmlcdata,"t"},{xmlelement,"x",[{"xmlns","u:x"}],[]}]}.
            """);
    assertThat(XmlTerm.read(old).attribute("id")).isEqualTo("<'\"\n");
    assertThat(XmlTerm.read(old).children().getFirst().name().namespace()).isEqualTo("u:x");
  }

  @Test
  void whatIsNoElementIsAnError() {
    for (String text :
        List.of(
            "{xmlel,<<\"a\">>,[],[{xmlel,1}]}",
            "{xmlel,<<\"a b\">>,[],[]}",
            "{xmlel,<<\"a><b\">>,[],[]}",
            "{xmlel,{},[],[]}",
            "{xmlel,<<\"a\">>,[a],[]}",
            "{xmlel,<<\"a\">>,[],x}",
            "{xmlel,<<\"a\">>,[],[{xmlcdata,<<1>>}]}",
            "{message,<<\"a\">>}")) {
      assertThatThrownBy(() -> XmlTerm.read(TermReader.read(text)))
          .as(text)
          .isInstanceOf(BadRecordException.class);
    }
  }

  @Test
  void anythingElseIsAnError() {
    for (String hex :
        List.of(
            "",
            "83",
            "8261",
            "8361",
            "8368FF",
            "83610100",
            // a process, a function's tag, a list with a tail, single bits
            "8368015864000D6E6F6E6F6465406E6F686F7374000000090000000000000000",
            "8370",
            "836C0000000161016102",
            "834D000000010320",
            // lengths that are not there
            "836D7FFFFFFF00",
            "836DFFFFFFFF00",
            "83697FFFFFFF6A",
            "836C7FFFFFFF6A",
            "83747FFFFFFF6A",
            "836F7FFFFFFF0001",
            "836D00000001FF",
            "835000000004DEADBEEF",
            "8350FFFFFFFF789C")) {
      assertThatThrownBy(() -> read(hex)).as(hex).isInstanceOf(BadRecordException.class);
    }
    byte[] deep = new byte[10_000];
    Arrays.fill(deep, (byte) 104);
    deep[0] = (byte) 131;
    for (int i = 2; i < deep.length; i += 2) {
      deep[i] = 1;
    }
    assertThatThrownBy(() -> ExternalTerm.read(deep)).hasMessageContaining("too deep");
  }

  /// A few kilobytes that say they are small, or that they are 1 GiB, do not become large.
  @Test
  void compressedBytesAreBounded() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflated = new DeflaterOutputStream(bytes)) {
      deflated.write(new byte[64 << 20]);
    }
    assertThatThrownBy(() -> ExternalTerm.read(compressed(4, bytes.toByteArray())))
        .isInstanceOf(BadRecordException.class);
    assertThatThrownBy(() -> ExternalTerm.read(compressed(1 << 30, bytes.toByteArray())))
        .hasMessageContaining("larger than 8 MiB");
    assertThatThrownBy(() -> ExternalTerm.read(compressed(1 << 10, new byte[] {1, 2, 3, 4})))
        .hasMessageContaining("damaged");
  }

  private static byte[] compressed(int size, byte[] content) {
    return ByteBuffer.allocate(6 + content.length)
        .put((byte) 131)
        .put((byte) 80)
        .putInt(size)
        .put(content)
        .array();
  }
}
