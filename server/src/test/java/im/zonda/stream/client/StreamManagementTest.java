package im.zonda.stream.client;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.router.BoundSession;
import im.zonda.router.Managed;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.function.Consumer;
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
  private final CountingSession session = new CountingSession();
  private final StreamManagement management =
      new StreamManagement(tester.client, session, PATIENCE);

  StreamManagementTest() {
    tester.transport.output();
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
    session.handled = 3;
    element("r", null);
    assertThat(written()).isEqualTo(answer(3));
  }

  @Test
  void elseItIsAnsweredWhenAllHasBeenHandledAndOnce() {
    session.handled = 2;
    session.open = 1;
    element("r", null);
    assertThat(written()).isEmpty();
    session.settle();
    management.handled();
    assertThat(written()).isEqualTo(answer(3));
    after(5_000);
    assertThat(written()).isEmpty();
  }

  @Test
  void afterASecondTheCountSoFarIsToldAndThenTheRest() {
    session.handled = 2;
    session.open = 2;
    element("r", null);
    after(999);
    assertThat(written()).isEmpty();
    after(1);
    assertThat(written()).isEqualTo(answer(2));
    after(999);
    assertThat(written()).isEmpty();
    session.settle();
    management.handled();
    assertThat(written()).isEqualTo(answer(4));
  }

  @Test
  void moreQuestionsDoNotPutOffTheAnswer() {
    session.open = 1;
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
    session.unacknowledged = 2;
    management.flushing();
    management.flushing();
    assertThat(written()).isEqualTo(REQUEST);
    element("a", "1");
    assertThat(session.acknowledged).isEqualTo(1);
    management.flushing();
    assertThat(written()).isEqualTo(REQUEST);
    session.unacknowledged = 0;
    element("a", "2");
    management.flushing();
    assertThat(written()).isEmpty();
  }

  @Test
  void whatWasSentAfterTheQuestionIsAskedAboutWhenTheAnswerComes() {
    session.unacknowledged = 1;
    session.sent = 1;
    management.flushing();
    session.unacknowledged = 2;
    session.sent = 2;
    management.flushing();
    assertThat(written()).isEqualTo(REQUEST);
    session.unacknowledged = 1;
    element("a", "1");
    assertThat(written()).isEqualTo(REQUEST);
    // A client that has not handled all of it yet is not asked again and again.
    element("a", "1");
    element("a", "1");
    assertThat(written()).isEmpty();
  }

  @Test
  void whatLeftWithoutAQuestionIsAskedAboutLater() {
    session.unacknowledged = 1;
    assertThat(after(1_000)).isTrue();
    assertThat(written()).isEqualTo(REQUEST);
  }

  @Test
  void aClientThatDoesNotAnswerInTimeIsGone() {
    session.unacknowledged = 1;
    management.flushing();
    assertThat(after(PATIENCE)).isTrue();
    assertThat(after(1)).isFalse();
  }

  @Test
  void aClientThatAnswersIsNot() {
    session.unacknowledged = 1;
    management.flushing();
    after(PATIENCE);
    element("a", "0");
    assertThat(after(1_000)).isTrue();
    assertThat(after(PATIENCE)).isTrue();
    assertThat(after(1)).isFalse();
  }

  @Test
  void aCountThatIsTooHighEndsTheStream() {
    session.tooHigh = true;
    session.sent = (1L << 32) + 5;
    element("a", "9");
    assertThat(written())
        .contains("undefined-condition", "handled-count-too-high", "h='9'", "send-count='5'");
    assertThat(tester.stream.closed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "+1", "1.5", "4294967296", "99999999999", " 1", "0x1", "١"})
  void whatIsNoCountEndsTheStream(String h) {
    element("a", h);
    assertThat(written()).contains("bad-format");
    assertThat(session.acknowledged).isEqualTo(-1);
  }

  @Test
  void anAnswerWithoutACountEndsTheStream() {
    element("a", null);
    assertThat(written()).contains("bad-format");
  }

  @Test
  void theLargestCountIsOne() {
    element("a", "4294967295");
    assertThat(session.acknowledged).isEqualTo(4_294_967_295L);
  }

  @Test
  void theServersCountWraps() {
    session.handled = (1L << 32) + 1;
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

  /// A session that says what the test has put into it.
  private static final class CountingSession implements BoundSession {
    private long handled;
    private int open;
    private boolean owed;
    private int unacknowledged;
    private long acknowledged = -1;
    private long sent;
    private boolean tooHigh;

    /// All that was open has been handled.
    void settle() {
      handled += open;
      open = 0;
      owed = false;
    }

    @Override
    public Jid jid() {
      return StreamFixture.ROMEO.withResource("r");
    }

    @Override
    public void attach(Runnable answer) {
      answer.run();
    }

    @Override
    public boolean manage(boolean resumable, Consumer<Managed> answer) {
      return false;
    }

    @Override
    public void begun() {}

    @Override
    public void received(Stanza stanza) {
      open++;
    }

    @Override
    public void dealtWith() {
      handled++;
    }

    @Override
    public void send(Stanza stanza) {
      sent++;
    }

    @Override
    public boolean requested() {
      owed |= open > 0;
      return open == 0;
    }

    @Override
    public boolean owes() {
      return owed;
    }

    @Override
    public long handled() {
      return handled;
    }

    @Override
    public boolean acknowledged(long h) {
      acknowledged = h;
      return !tooHigh;
    }

    @Override
    public int unacknowledged() {
      return unacknowledged;
    }

    @Override
    public long sent() {
      return sent;
    }

    @Override
    public void active(boolean active) {}

    @Override
    public void lost() {}

    @Override
    public void ended() {}
  }
}
