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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The runner against a server that sends every stanza back as it came.
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

  private void play(String steps) {
    ScenarioRunner.play(
        ScenarioParser.parse("test.xmpp", "client Romeo romeo@example.org/garden\n" + steps), this);
  }
}
