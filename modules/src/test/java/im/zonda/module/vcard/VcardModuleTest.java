package im.zonda.module.vcard;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class VcardModuleTest {
  private static final String VCARD =
      "<vCard xmlns='vcard-temp' version='3.0'><FN>Romeo &amp; co</FN>\n <PHOTO><TYPE>image/png"
          + "</TYPE><BINVAL>aGk=\naGk=</BINVAL></PHOTO><X xmlns='urn:x' y:z='1' xmlns:y='urn:y'/>"
          + "</vCard>";

  private final TestContext context = new TestContext().install(new VcardModule());
  private final TestSession romeo = context.bind("romeo@example.org/garden");
  private final TestSession juliet = context.bind("juliet@example.org/balcony");

  @Test
  void whatTheOwnerSetEveryoneGets() {
    assertThat(set(romeo, "", VCARD)).isEqualTo(IqReply.empty());
    IqReply expected = IqReply.result(TestXml.element(VCARD));
    assertThat(get(romeo, "")).isEqualTo(expected);
    assertThat(get(romeo, "to='romeo@example.org'")).isEqualTo(expected);
    assertThat(get(juliet, "to='romeo@example.org'")).isEqualTo(expected);
  }

  @Test
  void theOwnerIsToldThatThereIsNone() {
    assertThat(get(romeo, "")).isEqualTo(IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
  }

  @Test
  void anEmptyVcardRemovesIt() {
    set(romeo, "", VCARD);
    assertThat(set(romeo, "", "<vCard xmlns='vcard-temp'/>")).isEqualTo(IqReply.empty());
    assertThat(get(romeo, "")).isEqualTo(IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
  }

  @Test
  void row67AnAccountWithoutVcardLooksLikeNone() {
    assertThat(get(juliet, "to='romeo@example.org'"))
        .isEqualTo(get(juliet, "to='nobody@example.org'"))
        .isEqualTo(IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE));
  }

  @Test
  void row67NobodySetsTheVcardOfOthersAndAllLookAlike() {
    assertThat(set(juliet, "to='romeo@example.org'", VCARD))
        .isEqualTo(set(juliet, "to='nobody@example.org'", VCARD))
        .isEqualTo(IqReply.refuse(ErrorCondition.FORBIDDEN));
    assertThat(get(romeo, "")).isEqualTo(IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
  }

  @Test
  void row79AVcardHasALimitAndTheOldOneStays() {
    set(romeo, "", VCARD);
    int most = context.config().limits().vcardBytes();
    String tooLong = "<vCard xmlns='vcard-temp'><FN>" + "x".repeat(most) + "</FN></vCard>";
    assertThat(set(romeo, "", tooLong))
        .isInstanceOfSatisfying(
            IqReply.Refuse.class,
            refuse ->
                assertThat(refuse.error())
                    .extracting(StanzaError::condition)
                    .isEqualTo(ErrorCondition.POLICY_VIOLATION));
    assertThat(get(romeo, "")).isEqualTo(IqReply.result(TestXml.element(VCARD)));
    String fits = tooLong.replace("x".repeat(most), "x".repeat(most - tooLong.length() + most));
    assertThat(set(romeo, "", fits)).isEqualTo(IqReply.empty());
  }

  @Test
  void row92MarkupInAVcardStaysText() {
    String hostile =
        "<vCard xmlns='vcard-temp'><FN>&lt;script&gt;alert(1)&lt;/script&gt;]]&gt;</FN></vCard>";
    set(romeo, "", hostile);
    assertThat(get(juliet, "to='romeo@example.org'"))
        .isEqualTo(IqReply.result(TestXml.element(hostile)));
  }

  @Test
  void aVcardThatCannotBeReadIsNone() {
    byte[] broken = "<vCard xmlns='vcard-temp'><FN>".getBytes(StandardCharsets.UTF_8);
    context.stores().keyValues("vcard").put(Jid.of("romeo@example.org"), "vcard", broken);
    assertThat(get(romeo, "")).isEqualTo(IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
  }

  private IqReply set(TestSession session, String to, String vcard) {
    return context.ask(
        session, TestXml.iq("<iq type='set' id='v2' %s>%s</iq>".formatted(to, vcard)));
  }

  private IqReply get(TestSession session, String to) {
    return context.ask(
        session,
        TestXml.iq("<iq type='get' id='v1' %s><vCard xmlns='vcard-temp'/></iq>".formatted(to)));
  }
}
