package im.zonda.app.routes;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests that another server sends: to a host's own domain, to accounts and to rooms. The
/// senders have no account here.
final class RequestsFromElsewhereTest {
  private static final String STRANGER = "juliet@capulet.example/balcony";
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");

  private final List<Stanza> answers = new ArrayList<>();
  private final TestServer server;

  RequestsFromElsewhereTest() throws IOException {
    server = ServerPlan.of(StandardModules::create).startInMemory();
  }

  @BeforeEach
  void routeToTheOtherServer() {
    server
        .server()
        .router()
        .routes()
        .add(Jid.of("capulet.example"), envelope -> answers.add(envelope.stanza()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void receive(String xml) {
    try {
      Stanza stanza = Stanza.of(XmlParser.frame(xml, Namespaces.CLIENT));
      server.server().router().routes().route(Envelope.of(stanza));
    } catch (XmlException | StanzaFormatException e) {
      throw new IllegalArgumentException(xml, e);
    }
    server.advance(Duration.ZERO);
  }

  private String ask(String type, String to, String payload) {
    receive(
        "<iq type='%s' id='q1' from='%s' to='%s'>%s</iq>".formatted(type, STRANGER, to, payload));
    assertThat(answers).as("answers").hasSize(1);
    Stanza answer = answers.getFirst();
    assertThat(answer.id()).isEqualTo("q1");
    assertThat(answer.from()).isEqualTo(Jid.of(to));
    assertThat(answer.to()).isEqualTo(Jid.of(STRANGER));
    Element error = answer.payload(ERROR);
    return error == null
        ? answer.toElement().toString()
        : error.children().getFirst().name().name();
  }

  @ParameterizedTest
  @CsvSource({
    "<query xmlns='http://jabber.org/protocol/disco#info'/>, server",
    "<query xmlns='http://jabber.org/protocol/disco#items'/>, rooms.example.org",
    "<query xmlns='jabber:iq:version'/>, Zonda",
    "<ping xmlns='urn:xmpp:ping'/>, result",
    "<time xmlns='urn:xmpp:time'/>, utc",
    "<query xmlns='jabber:iq:last'/>, seconds",
  })
  void theHostAnswersAStranger(String payload, String part) {
    assertThat(ask("get", "example.org", payload)).contains("result").contains(part);
  }

  @ParameterizedTest
  @CsvSource({
    "get, <vCard xmlns='vcard-temp'/>, service-unavailable",
    "get, <query xmlns='jabber:iq:private'><x xmlns='a'/></query>, service-unavailable",
    "get, <query xmlns='jabber:iq:register'/>, registration-required",
    "set, <query xmlns='jabber:iq:register'><remove/></query>, registration-required",
    "get, <query xmlns='urn:example:unknown'/>, service-unavailable",
  })
  void theHostRejectsWhatNeedsAnAccount(String type, String payload, String condition) {
    assertThat(ask(type, "example.org", payload)).isEqualTo(condition);
  }

  @ParameterizedTest
  @CsvSource({
    "get, <vCard xmlns='vcard-temp'/>, service-unavailable",
    "get, <query xmlns='http://jabber.org/protocol/disco#info'/>, service-unavailable",
    "get, <query xmlns='jabber:iq:last'/>, forbidden",
    "get, <query xmlns='jabber:iq:roster'/>, forbidden",
    "set, <query xmlns='jabber:iq:private'><x xmlns='a'/></query>, forbidden",
    "set, <query xmlns='urn:xmpp:mam:2'/>, forbidden",
    "set, <enable xmlns='urn:xmpp:carbons:2'/>, not-allowed",
  })
  void anAccountShowsAStrangerNothing(String type, String payload, String condition) {
    server.accounts(List.of("romeo@example.org"));
    assertThat(ask(type, "romeo@example.org", payload)).isEqualTo(condition);
  }

  @Test
  void aClientAnswersForItself() {
    ScriptedClient romeo = server.connect("romeo@example.org/orchard");
    receive(
        "<iq type='get' id='q1' from='"
            + STRANGER
            + "' to='romeo@example.org/orchard'><query xmlns='jabber:iq:version'/></iq>");
    assertThat(romeo.receiveFirst(stanza -> stanza.localName().equals("iq")).toString())
        .contains(STRANGER);
    romeo.send("<iq type='result' id='q1' to='" + STRANGER + "'/>");
    server.advance(Duration.ZERO);
    assertThat(answers).hasSize(1);
  }

  @Test
  void roomsAnswerAStranger() {
    ScriptedClient crone = server.connect("crone@example.org/desktop");
    crone.send(
        "<presence to='coven@rooms.example.org/firstwitch'>"
            + "<x xmlns='http://jabber.org/protocol/muc'/></presence>");
    crone.send(
        "<iq type='set' id='1' to='coven@rooms.example.org'>"
            + "<query xmlns='http://jabber.org/protocol/muc#owner'>"
            + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
    server.advance(Duration.ZERO);
    String info = "<query xmlns='http://jabber.org/protocol/disco#info'/>";
    assertThat(ask("get", "rooms.example.org", info)).contains("conference");
    answers.clear();
    assertThat(ask("get", "coven@rooms.example.org", info)).contains("conference");
    answers.clear();
    assertThat(ask("get", "heath@rooms.example.org", info)).isEqualTo("item-not-found");
  }

  @Test
  void aMessageToTheHostIsAnsweredAndAnAnswerIsNot() {
    receive(
        "<message type='chat' id='m1' from='" + STRANGER + "' to='example.org'><body/></message>");
    receive("<iq type='result' id='q2' from='" + STRANGER + "' to='example.org'/>");
    receive("<message type='error' id='m2' from='" + STRANGER + "' to='example.org'/>");
    assertThat(answers).extracting(Stanza::id).containsExactly("m1");
  }
}
