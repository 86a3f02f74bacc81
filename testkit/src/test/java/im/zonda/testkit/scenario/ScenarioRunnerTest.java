package im.zonda.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.TinyServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The runner against a server that echoes every stanza.
@Timeout(30)
class ScenarioRunnerTest implements Stage {
  private final List<String> calls = new ArrayList<>();
  private TinyServer server;

  @BeforeEach
  void start() throws IOException {
    server = new TinyServer(XmlElement::toString);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Override
  public void accounts(Collection<String> addresses) {
    calls.add("accounts " + addresses);
  }

  @Override
  public ScriptedClient open(String address) {
    return connect(address);
  }

  @Override
  public ScriptedClient connect(String address) {
    try {
      return server.bound(address);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public ScriptedClient component(String domain) {
    throw new AssertionError("no component is declared");
  }

  @Override
  public void advance(Duration step) {
    calls.add("advance " + step);
  }

  @Test
  void playsToTheEnd() {
    play(
        """
        Romeo connects
        Romeo sends <message id='1'><body>a</body></message>
        Romeo receives <message id='{$id}'><body>{any}</body></message>
        Romeo sends <message id='{$id}{$id}'/><presence/>
        Romeo receives (any order) <presence/><message id='11'/>
        Romeo receives nothing
        the clock advances 3m
        Romeo disconnects
        Romeo connects
        Romeo drops
        """);

    assertThat(calls).containsExactly("accounts [romeo@example.org/garden]", "advance PT3M");
  }

  @Test
  void namesFileLineAndBothSidesOfADifference() {
    assertThatThrownBy(() ->
            play(
                """
                Romeo connects
                Romeo sends <message id='1'/>
                Romeo receives <message id='2'/>
                """))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("test.xmpp:4: Romeo receives something else: attribute id")
        .hasMessageContaining("expected <message id='2'/>")
        .hasMessageContaining("got      <message id='1'/>");
  }

  @Test
  void findsWhatShouldNotHaveCome() {
    assertThatThrownBy(() ->
            play(
                """
                Romeo connects
                Romeo sends <message id='1'/>
                Romeo receives nothing
                """))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("test.xmpp:4")
        .hasMessageContaining("but got <message id='1'/>");
  }

  @Test
  void skipsWhatHasComeAndNothingElse() {
    play(
        """
        Romeo connects
        Romeo sends <message id='1'/>
        Romeo skips the rest
        Romeo sends <message id='2'/>
        Romeo receives <message id='2'/>
        Romeo receives nothing
        """);
  }

  @Test
  void waitsForRoomsAndAccounts() throws IOException {
    List<String> pinged = new CopyOnWriteArrayList<>();
    answering(stanza -> {
      pinged.add(String.valueOf(stanza.attribute("to")));
      return stanza.toString();
    });
    play(
        """
        Romeo connects
        Romeo sends <message to='coven@rooms.example.org'/>
        Romeo receives <message/>
        Romeo sends <message to='nobody@example.org'/>
        Romeo receives <message/>
        Romeo receives nothing
        """);

    String room = "coven@rooms.example.org";
    String nobody = "nobody@example.org";
    String own = "romeo@example.org";
    assertThat(pinged)
        .containsExactly(room, nobody, room, nobody, own, room, nobody, own, "example.org");
  }

  @Test
  void entersRoomsAndUnlocksNewOnes() throws IOException {
    List<String> sent = new CopyOnWriteArrayList<>();
    answering(stanza -> {
      sent.add(stanza.toString());
      return switch (stanza.localName()) {
        case "presence" ->
            room("nurse", "") + room("hag", "110", "201") + "<message id='subject'/>";
        case "iq" -> "<iq type='result' id='" + stanza.attribute("id") + "'/>";
        default -> stanza.toString();
      };
    });
    play(
        """
        Romeo connects
        Romeo enters coven@rooms.example.org/hag
        Romeo sends <message id='m'/>
        Romeo receives <message id='m'/>
        """);

    assertThat(sent)
        .hasSize(4)
        .startsWith(
            "<presence to='coven@rooms.example.org/hag'>"
                + "<x xmlns='http://jabber.org/protocol/muc'/></presence>",
            "<iq type='set' id='zonda-instant' to='coven@rooms.example.org'>"
                + "<query xmlns='http://jabber.org/protocol/muc#owner'>"
                + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
  }

  @Test
  void tellsWhyARoomCannotBeEntered() throws IOException {
    answering(
        stanza -> "<presence type='error' from='coven@rooms.example.org/hag'><error/></presence>");
    assertThatThrownBy(() ->
            play(
                """
                Romeo connects
                Romeo enters coven@rooms.example.org/hag
                """))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("test.xmpp:3: coven@rooms.example.org/hag may not enter: <presence");
  }

  private static String room(String nick, String... codes) {
    StringBuilder presence =
        new StringBuilder("<presence from='coven@rooms.example.org/" + nick)
            .append("'><x xmlns='http://jabber.org/protocol/muc#user'>");
    for (String code : codes) {
      presence.append("<status code='").append(code).append("'/>");
    }
    return presence.append("</x></presence>").toString();
  }

  private void answering(Function<XmlElement, String> answers) throws IOException {
    server.close();
    server = new TinyServer(answers);
  }

  private void play(String steps) {
    ScenarioRunner.play(
        ScenarioParser.parse("test.xmpp", "client Romeo romeo@example.org/garden\n" + steps), this);
  }
}
