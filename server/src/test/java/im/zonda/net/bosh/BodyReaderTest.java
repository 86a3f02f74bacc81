package im.zonda.net.bosh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import im.zonda.stream.InputLimits;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlLimits;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BodyReaderTest {
  private static final String BODY = "<body xmlns='http://jabber.org/protocol/httpbind' rid='7'";

  private static BoshCondition rejected(String text) {
    return rejected(text, _ -> TestBodies.STRANGER);
  }

  private static BoshCondition rejected(
      String text, Function<StreamHeader, @Nullable InputLimits> limits) {
    BodyReader reader = new BodyReader(TestBodies.STRANGER, limits);
    return Objects.requireNonNull(
            catchThrowableOfType(BoshException.class, () -> reader.read(TestBodies.body(text))))
        .condition();
  }

  @Test
  void payloadsAndAttributesAreRead() throws Exception {
    BoshRequest request =
        TestBodies.request(
            "rid='9007199254740991' sid='x' xmpp:restart='true' type='terminate'",
            "<presence xmlns='jabber:client'/> <iq xmlns='jabber:client'/>");
    assertThat(request.rid()).isEqualTo(BoshRequest.MAX_RID);
    assertThat(request.payloads()).hasSize(2);
    assertThat(request.payloads().getFirst().name().namespace()).isEqualTo("jabber:client");
    assertThat(request.isRestart()).isTrue();
    assertThat(request.isTerminate()).isTrue();
  }

  /// XEP-0124, section 6: no text, comments, instructions or document types, one whole element.
  @Test
  void row03_whatIsNoBodyIsRejected() {
    for (String text :
        new String[] {
          "",
          "x",
          BODY,
          BODY + ">",
          BODY + "><iq xmlns='jabber:client'>",
          BODY + ">text</body>",
          BODY + "><!-- --></body>",
          BODY + "><?p x?></body>",
          "<!DOCTYPE body [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>" + BODY + ">&a;</body>",
          BODY + "><iq xmlns='jabber:client'>&a;</iq></body>",
          "<body xmlns='urn:x' rid='7'/>",
          "<stream xmlns='http://jabber.org/protocol/httpbind' rid='7'/>",
        }) {
      assertThat(rejected(text)).as(text).isEqualTo(BoshCondition.BAD_REQUEST);
    }
  }

  @Test
  void row50_numbersThatAreNoneAreRejected() {
    for (String rid :
        new String[] {"0", "-1", "", " 1", "1.5", "9007199254740992", "99999999999999999999"}) {
      assertThat(rejected(BODY.replace("'7'", "'" + rid + "'") + "/>"))
          .as(rid)
          .isEqualTo(BoshCondition.BAD_REQUEST);
    }
  }

  @Test
  void ofStrangersOnlyTheStartTagIsRead() {
    String large = BODY + ">" + "<iq xmlns='jabber:client'/>".repeat(1_000) + "</body>";
    assertThat(rejected(large, _ -> null)).isEqualTo(BoshCondition.ITEM_NOT_FOUND);
    assertThat(rejected(large)).isEqualTo(BoshCondition.POLICY_VIOLATION);
  }

  @Test
  void anAuthenticatedClientMaySendMore() throws Exception {
    String large = BODY + ">" + "<iq xmlns='jabber:client'/>".repeat(1_000) + "</body>";
    BodyReader reader =
        new BodyReader(TestBodies.STRANGER, _ -> InputLimits.ofElements(XmlLimits.CLIENT));
    assertThat(reader.read(TestBodies.body(large)).payloads()).hasSize(1_000);
  }
}
