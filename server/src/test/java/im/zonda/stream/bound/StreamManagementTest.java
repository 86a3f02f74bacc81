package im.zonda.stream.bound;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.Message;
import im.zonda.stream.client.StreamTester;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is asked and answered on a managed stream, and when (XEP-0198, section 4).
final class StreamManagementTest {
  private static final String SM = StreamManagement.NAMESPACE;
  private static final long PATIENCE = 60_000;
  private static final String REQUEST = "<r xmlns='urn:xmpp:sm:3'/>";

  private final StreamTester tester = StreamTester.secure().login();
  private final List<ToSession> values = new ArrayList<>();
  private final SessionLink link = new SessionLink(tester.client(), stream -> values::add);
  private final StreamManagement management = new StreamManagement(tester.client(), link, 0, false);

  StreamManagementTest() {
    tester.transport.output();
    link.enable(false);
  }

  /// The client sends `stanzas` stanzas.
  private void receive(int stanzas) {
    for (int i = 0; i < stanzas; i++) {
      link.dealt(null);
    }
  }

  /// `h` of them have been handled.
  private void handled(long h) {
    link.receive(new ToStream.Handled(h));
  }

  /// The client is sent the stanza with that number.
  private void deliver(long number) {
    Message message = Message.of(Message.Type.CHAT, null, null, "m", List.of());
    link.receive(new ToStream.Deliver(message, number, false));
    tester.transport.output();
  }

  /// The last count of the client that the session has received, or -1.
  private long acknowledged() {
    return values.stream()
        .filter(ToSession.Acknowledged.class::isInstance)
        .mapToLong(value -> ((ToSession.Acknowledged) value).h())
        .reduce(-1, (_, last) -> last);
  }

  private void element(String name, @Nullable String h) {
    management.element(new QName(SM, name), h);
  }

  private String written() {
    return tester.transport.output();
  }

  private static String answer(long h) {
    return "<a xmlns='urn:xmpp:sm:3' h='" + h + "'/>";
  }

  private boolean after(long millis) {
    tester.transport.now += millis;
    return management.tick(tester.transport.now);
  }

  @Test
  void aRequestIsAnsweredAtOnceIfAllHasBeenHandled() {
    receive(3);
    handled(3);
    element("r", null);
    assertThat(written()).isEqualTo(answer(3));
  }

  @Test
  void otherwiseItIsAnsweredWhenAllHasBeenHandledAndOnce() {
    receive(3);
    handled(2);
    element("r", null);
    assertThat(written()).isEmpty();
    handled(3);
    management.handled();
    assertThat(written()).isEqualTo(answer(3));
    after(5_000);
    assertThat(written()).isEmpty();
  }

  @Test
  void whatCameAfterTheRequestNeedNotHaveBeenHandled() {
    receive(2);
    element("r", null);
    receive(1);
    handled(2);
    management.handled();
    assertThat(written()).isEqualTo(answer(2));
  }

  @Test
  void aClientThatAsksAllTheTimeIsAnsweredAfterItsFirstQuestionAndItsLast() {
    receive(1);
    element("r", null);
    receive(1);
    element("r", null);
    receive(1);
    element("r", null);
    handled(1);
    management.handled();
    assertThat(written()).isEqualTo(answer(1));
    handled(2);
    management.handled();
    assertThat(written()).isEmpty();
    handled(3);
    management.handled();
    assertThat(written()).isEqualTo(answer(3));
  }

  @Test
  void theStreamIsWokenOnceWhenWhatItWaitsForHasBeenHandled() {
    receive(2);
    handled(1);
    assertThat(tester.transport.tasks).isEmpty();
    element("r", null);
    handled(1);
    assertThat(tester.transport.tasks).isEmpty();
    handled(2);
    handled(2);
    assertThat(tester.transport.tasks).hasSize(1);
  }

  @Test
  void afterASecondTheCountSoFarIsToldAndThenTheRest() {
    receive(4);
    handled(2);
    element("r", null);
    after(999);
    assertThat(written()).isEmpty();
    after(1);
    assertThat(written()).isEqualTo(answer(2));
    after(999);
    assertThat(written()).isEmpty();
    handled(4);
    management.handled();
    assertThat(written()).isEqualTo(answer(4));
  }

  @Test
  void moreQuestionsDoNotPutOffTheAnswer() {
    receive(1);
    element("r", null);
    after(600);
    element("r", null);
    after(400);
    assertThat(written()).isEqualTo(answer(0));
  }

  @Test
  void theServerAsksOnceAtATimeAndOnlyIfSomethingWaits() {
    management.flushing();
    assertThat(written()).isEmpty();
    deliver(2);
    management.flushing();
    management.flushing();
    assertThat(written()).isEqualTo(REQUEST);
    element("a", "1");
    assertThat(acknowledged()).isEqualTo(1);
    management.flushing();
    assertThat(written()).isEqualTo(REQUEST);
    element("a", "2");
    management.flushing();
    assertThat(written()).isEmpty();
  }

  @Test
  void whatWasSentAfterTheQuestionIsAskedAboutWhenTheAnswerComes() {
    deliver(1);
    management.flushing();
    assertThat(written()).isEqualTo(REQUEST);
    deliver(3);
    management.flushing();
    assertThat(written()).isEmpty();
    element("a", "1");
    assertThat(written()).isEqualTo(REQUEST);
    // A client that has not handled all of it yet is not asked again and again.
    element("a", "2");
    element("a", "2");
    assertThat(written()).isEmpty();
  }

  @Test
  void whatLeftWithoutAQuestionIsAskedAboutLater() {
    deliver(1);
    assertThat(after(1_000)).isTrue();
    assertThat(written()).isEqualTo(REQUEST);
  }

  @Test
  void aClientThatDoesNotAnswerInTimeIsGone() {
    deliver(1);
    management.flushing();
    assertThat(after(PATIENCE)).isTrue();
    assertThat(after(1)).isFalse();
  }

  @Test
  void aClientThatAnswersIsNot() {
    deliver(1);
    management.flushing();
    after(PATIENCE);
    element("a", "0");
    assertThat(after(1_000)).isTrue();
    assertThat(after(PATIENCE)).isTrue();
    assertThat(after(1)).isFalse();
  }

  @Test
  void aCountThatIsTooHighEndsTheStream() {
    deliver((1L << 32) + 5);
    element("a", "4294967295");
    assertThat(written()).isEqualTo(REQUEST);
    element("a", "9");
    assertThat(written())
        .contains("undefined-condition", "handled-count-too-high", "h='9'", "send-count='5'");
    assertThat(tester.stream.closed()).isTrue();
  }

  @Test
  void aCountFromThePastSaysNothing() {
    deliver(5);
    element("a", "4");
    element("a", "3");
    assertThat(acknowledged()).isEqualTo(4);
    assertThat(values).filteredOn(ToSession.Acknowledged.class::isInstance).hasSize(1);
    assertThat(tester.stream.closed()).isFalse();
  }

  @Test
  void beforeTheClientKnowsThatItIsEnabledItIsToldNothing() {
    StreamManagement early = new StreamManagement(tester.client(), link, 0, true);
    deliver(3);
    early.flushing();
    early.element(new QName(SM, "r"), null);
    early.lastWord();
    assertThat(written()).isEmpty();
    early.enabled();
    assertThat(written()).isEqualTo(answer(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "+1", "1.5", "4294967296", "99999999999", " 1", "0x1", "١"})
  void whatIsNoCountEndsTheStream(String h) {
    element("a", h);
    assertThat(written()).contains("bad-format");
    assertThat(acknowledged()).isEqualTo(-1);
  }

  @Test
  void anAnswerWithoutACountEndsTheStream() {
    element("a", null);
    assertThat(written()).contains("bad-format");
  }

  @Test
  void theLargestCountIsOne() {
    deliver(4_294_967_295L);
    element("a", "4294967295");
    assertThat(acknowledged()).isEqualTo(4_294_967_295L);
  }

  @Test
  void theServersCountWraps() {
    handled((1L << 32) + 1);
    element("r", null);
    assertThat(written()).isEqualTo(answer(1));
  }

  @Test
  void resumingABoundStreamFailsAndTheStreamGoesOn() {
    element("resume", null);
    assertThat(written()).contains("<failed", "unexpected-request");
    assertThat(tester.stream.closed()).isFalse();
  }

  @Test
  void otherElementsEndTheStream() {
    element("enabled", null);
    assertThat(written()).contains("unsupported-stanza-type");
  }

  @ParameterizedTest
  @CsvSource({"true,true", "1,true", "false,false", "0,false", "TRUE,false", ",false"})
  void resumptionIsAskedForInTheFormsOfABoolean(@Nullable String value, boolean wanted) {
    Element enable = Element.builder(SM, "enable").attribute("resume", value).build();
    assertThat(StreamManagement.wantsResumption(enable)).isEqualTo(wanted);
  }

  @ParameterizedTest
  @CsvSource({"id,3,true", "id,,false", "id,x,false", ",3,false", "'',3,false"})
  void aWishToResumeNeedsAnIdentifierAndACount(
      @Nullable String previd, @Nullable String h, boolean good) {
    Element resume =
        Element.builder(SM, "resume").attribute("previd", previd).attribute("h", h).build();
    assertThat(StreamManagement.Resume.of(resume) != null).isEqualTo(good);
  }
}
