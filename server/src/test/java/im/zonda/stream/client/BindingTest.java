package im.zonda.stream.client;

import static im.zonda.stream.client.StreamTester.HEADER;
import static im.zonda.stream.client.StreamTester.bind;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Binding a resource (RFC 6120, section 7) and the life of a bound stream.
final class BindingTest {
  private static final QName REGISTER = new QName("jabber:iq:register", "query");

  private static StreamTester authenticated() {
    StreamTester tester = StreamTester.secure().authenticate();
    tester.send(HEADER);
    return tester;
  }

  @Test
  void aResourceOfOnesChoiceOrMadeByTheServer() {
    assertThat(authenticated().send(bind("<resource>balcony</resource>")))
        .isEqualTo(
            "<iq id='b' type='result'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>"
                + "<jid>romeo@example.org/balcony</jid></bind></iq>");
    assertThat(authenticated().send(bind(""))).contains("<jid>romeo@example.org/made</jid>");
    assertThat(authenticated().send(bind("<resource/>")))
        .contains("<jid>romeo@example.org/made</jid>");
  }

  @Test
  void whatIsSentOnceBoundComesAfterTheAnswer() {
    StreamTester tester = authenticated();
    List<Runnable> held = new ArrayList<>();
    tester.fixture.gate.held = held;
    tester.send(bind("<resource>r</resource>"));

    // As the home of the account does it, on another thread.
    held.getFirst().run();
    tester
        .fixture
        .gate
        .session("r")
        .send(Message.of(Message.Type.CHAT, null, null, "first", List.of()), null);

    assertThat(tester.settle()).matches("<iq .*</iq><message .*id='first'.*");
  }

  @Test
  void aStreamThatEndsWhileItIsBoundIsEndedThere() {
    StreamTester tester = authenticated();
    List<Runnable> held = new ArrayList<>();
    tester.fixture.gate.held = held;
    tester.send(bind("<resource>r</resource>"));

    tester.stream.disconnected();
    held.forEach(Runnable::run);
    tester.settle();

    assertThat(tester.fixture.gate.events)
        .containsExactly("bound romeo@example.org/r", "ended romeo@example.org/r");
  }

  @ParameterizedTest
  @EnumSource(names = {"CONFLICT", "NOT_ALLOWED", "RESOURCE_CONSTRAINT", "INTERNAL_SERVER_ERROR"})
  void aRefusedBindMayBeTriedAgain(ErrorCondition condition) {
    StreamTester tester = authenticated();
    tester.fixture.gate.refusal = condition;

    assertThat(tester.send(bind("")))
        .startsWith("<iq id='b' type='error'>")
        .contains("<" + condition.elementName() + " ");
    tester.fixture.gate.refusal = null;
    assertThat(tester.send(bind(""))).contains("<jid>");
    assertThat(tester.transport.reading).isTrue();
  }

  @Test
  void aResourceThatCannotBeOne() {
    StreamTester tester = authenticated();

    assertThat(tester.send(bind("<resource>" + "x".repeat(1_024) + "</resource>")))
        .startsWith("<iq id='b' type='error'>")
        .contains("<bad-request ");
    assertThat(tester.send(bind("<resource>r</resource>"))).contains("<jid>");
  }

  @Test
  void aSecondBindAndTheOldSessionRequest() {
    StreamTester tester = StreamTester.secure().login();

    assertThat(tester.send(bind("<resource>s</resource>"))).contains("<not-allowed ");
    assertThat(
            tester.send(
                "<iq type='set' id='s' to='example.org'>"
                    + "<session xmlns='urn:ietf:params:xml:ns:xmpp-session'/></iq>"))
        .contains("type='result'")
        .contains("id='s'");
    assertThat(tester.fixture.gate.received).isEmpty();
  }

  @Test
  void stanzasAreReceivedInOrderAndCounted() {
    StreamTester tester = StreamTester.secure().login();

    tester.send("<message id='1'/><presence id='2'/><iq type='get' id='3'><q xmlns='x'/></iq>");

    assertThat(tester.fixture.gate.received)
        .extracting(stanza -> stanza.id())
        .containsExactly("1", "2", "3");
    assertThat(tester.transport.stanzasIn).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<message id='x' to='@@'/>",
        "<presence id='x' type='nonsense'/>",
        "<iq id='x' type='get'/>",
        "<iq id='x' type='nonsense'><q xmlns='x'/></iq>"
      })
  void aMalformedStanzaIsAnsweredAndTheStreamGoesOn(String stanza) {
    StreamTester tester = StreamTester.secure().login();

    assertThat(tester.send(stanza)).contains("type='error'", "id='x'", "<error type=");
    assertThat(tester.send("<message/>")).isEmpty();
    assertThat(tester.fixture.gate.received).hasSize(1);
  }

  @Test
  void errorsAndResultsAreNotAnswered() {
    StreamTester tester = StreamTester.secure().login();

    assertThat(tester.send("<message type='error' to='@@'/><iq type='result' id='1' to='@@'/>"))
        .isEmpty();
    assertThat(tester.stream.closed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"<letter/>", "<message xmlns='jabber:server'/>", "<r xmlns='urn:xmpp:sm:3'/>"})
  void firstLevelElementsThatAreNoStanzas(String element) {
    assertThat(StreamTester.secure().login().send(element)).contains("<unsupported-stanza-type ");
  }

  @Test
  void whatFollowsTheEndInTheSameReadIsIgnored() {
    StreamTester tester = StreamTester.secure().login();

    tester.send("<letter/><message/></stream:stream>");

    assertThat(tester.fixture.gate.received).isEmpty();
    assertThat(tester.fixture.gate.events).hasSize(2);
  }

  @Test
  void pausesAreCounted() {
    StreamTester tester = StreamTester.secure().login();
    FakeGate.FakeSession session = tester.fixture.gate.session("r");

    session.pauseReading();
    session.pauseReading();
    session.resumeReading();
    tester.settle();
    assertThat(tester.transport.reading).isFalse();
    session.resumeReading();
    tester.settle();
    assertThat(tester.transport.reading).isTrue();
  }

  @Test
  void silenceIsAnsweredByAPingAndSilenceAfterThatEndsTheStream() {
    Limits limits = Limits.defaults();
    StreamTester tester = StreamTester.secure().login();

    assertThat(tester.after(limits.idleTime().toMillis())).isEmpty();
    assertThat(tester.after(1))
        .contains("type='get'", "from='example.org'", "to='romeo@example.org/r'")
        .contains("<ping xmlns='urn:xmpp:ping'/>");
    assertThat(tester.after(limits.pingTime().toMillis())).isEmpty();
    assertThat(tester.after(1)).contains("<connection-timeout ");
    assertThat(tester.fixture.gate.events).endsWith("ended romeo@example.org/r");
  }

  /// A laptop that wakes up resumes its session; a stream error would have it log in again.
  @Test
  void aClientThatCanResumeLosesItsConnectionAloneForSilenceAndForSlowness() {
    for (boolean slow : new boolean[] {true, false}) {
      StreamTester tester = StreamTester.secure().login();
      tester.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");

      String left =
          slow
              ? overflow(tester)
              : tester.after(Limits.defaults().idleTime().toMillis() + 1)
                  + tester.after(Limits.defaults().pingTime().toMillis() + 1);

      assertThat(left).doesNotContain("stream:error").doesNotContain("</stream:stream>");
      assertThat(tester.stream.closed()).isTrue();
      assertThat(tester.transport.closed).isTrue();
      assertThat(tester.fixture.gate.events).endsWith("ended romeo@example.org/r");
    }
  }

  private static String overflow(StreamTester tester) {
    tester.stream.overflowed();
    return tester.settle();
  }

  @Test
  void anySignOfLifeIsAnAnswerToThePing() {
    Limits limits = Limits.defaults();
    StreamTester tester = StreamTester.secure().login();
    tester.after(limits.idleTime().toMillis() + 1);

    tester.send(" ");

    assertThat(tester.after(limits.pingTime().toMillis() + 1)).isEmpty();
    assertThat(tester.after(limits.idleTime().toMillis())).contains("<ping ");
  }

  @Test
  void row31_aReaderThatIsTooSlow() {
    StreamTester tester = StreamTester.secure().login();

    tester.stream.overflowed();

    assertThat(tester.settle()).contains("<resource-constraint ");
    assertThat(tester.fixture.gate.events).endsWith("ended romeo@example.org/r");
  }

  @Test
  void callsAfterTheEndDoNothing() {
    StreamTester tester = StreamTester.secure().login();
    FakeGate.FakeSession session = tester.fixture.gate.session("r");
    tester.send("</stream:stream>");

    session.send(Message.of(Message.Type.CHAT, null, null, "x", List.of()), null);
    session.close(StreamErrorCondition.CONFLICT, null);
    session.pauseReading();
    session.resumeReading();
    tester.stream.overflowed();

    assertThat(tester.settle()).isEmpty();
    assertThat(tester.after(1_000_000_000)).isEmpty();
  }

  // ---- before authentication

  private static StreamTester withRegistration() {
    StreamTester tester = StreamTester.secure();
    tester.fixture.unauthenticated.put(
        REGISTER,
        (iq, payload, client) ->
            iq.from() == null
                    && Jid.of("example.org").equals(iq.to())
                    && client.address().isLoopbackAddress()
                ? IqReply.result(Element.of(REGISTER))
                : IqReply.refuse(ErrorCondition.BAD_REQUEST));
    return tester;
  }

  @Test
  void requestsBeforeAuthenticationGoToTheirHandler() {
    StreamTester tester = withRegistration();
    tester.send(HEADER);

    assertThat(
            tester.send(
                "<iq type='get' id='1' from='spoofed@example.org' to='x@y'>"
                    + "<query xmlns='jabber:iq:register'/></iq>"))
        .contains("type='result'", "id='1'", "<query xmlns='jabber:iq:register'/>");
    assertThat(tester.send(StreamTester.plain("", "romeo", "secret"))).contains("<success");
  }

  @Test
  void aHandlerKeepsAValueWithTheStream() {
    UnauthenticatedHandler handler =
        (iq, payload, client) -> {
          String before = client.get(String.class);
          client.keep(String.class, iq.id());
          return before == null
              ? IqReply.empty()
              : IqReply.result(Element.builder(REGISTER).text(before).build());
        };
    StreamTester tester = StreamTester.secure();
    tester.fixture.unauthenticated.put(REGISTER, handler);
    tester.send(HEADER);
    String request = "<iq type='get' id='%s'><query xmlns='jabber:iq:register'/></iq>";
    assertThat(tester.send(request.formatted("first"))).doesNotContain("<query");
    assertThat(tester.send(request.formatted("second"))).contains(">first<");
    StreamTester other = StreamTester.secure();
    other.fixture.unauthenticated.put(REGISTER, handler);
    other.send(HEADER);
    assertThat(other.send(request.formatted("third"))).doesNotContain("<query");
  }

  @Test
  void theyAreNotTakenInTheClear() {
    StreamTester tester = withRegistration();
    tester.transport.secure = false;
    tester.send(HEADER);

    assertThat(tester.send("<iq type='get' id='1'><query xmlns='jabber:iq:register'/></iq>"))
        .contains("<not-authorized ");
  }

  @Test
  void aHandlerThatFailsIsAnError() {
    StreamTester tester = StreamTester.secure();
    tester.fixture.unauthenticated.put(
        REGISTER,
        (iq, payload, client) -> {
          throw new IllegalStateException("broken");
        });
    tester.send(HEADER);

    assertThat(tester.send("<iq type='get' id='1'><query xmlns='jabber:iq:register'/></iq>"))
        .contains("type='error'", "<internal-server-error ");
    assertThat(tester.stream.closed()).isFalse();
  }
}
