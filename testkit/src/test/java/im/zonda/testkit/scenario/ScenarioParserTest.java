package im.zonda.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioParserTest {
  @Test
  void readsServers() {
    Scenario scenario =
        ScenarioParser.parse(
            "chat.xmpp",
            """
            server a.example
            server b.example
            client Romeo romeo@a.example/garden
            Romeo connects
            server b.example stops
            """);

    assertThat(scenario.servers()).containsExactly("a.example", "b.example");
    assertThat(scenario.steps().getLast()).isEqualTo(new Scenario.Stops(5, "b.example"));
    assertThatThrownBy(() -> ScenarioParser.parse("x", "server a.example\nserver a.example"))
        .hasMessageContaining("declared twice");
    assertThatThrownBy(() -> ScenarioParser.parse("x", "server a.example stops"))
        .hasMessageContaining("not declared");
  }

  @Test
  void readsEveryKindOfStep() {
    Scenario scenario =
        ScenarioParser.parse(
            "ping.xmpp",
            """
            # XEP-0199, example 1
            # more words
            client Romeo  romeo@example.org/garden
            client Juliet juliet@example.org/balcony

            Romeo connects     (logs in and binds)
            Romeo sends <iq type='get' id='1'>
                <ping xmlns='urn:xmpp:ping'/>
              </iq>
            Romeo receives  <iq type='result' id='1'/>
            Romeo receives (any order) (at least) <presence/> <message/>
            Romeo receives nothing
            the clock advances 30s
            Romeo disconnects
            Juliet enters coven@rooms.example.org/hag
            Juliet skips the rest
            Juliet drops
            """);

    assertThat(scenario.title()).isEqualTo("XEP-0199, example 1");
    assertThat(scenario.clients())
        .containsEntry("Romeo", "romeo@example.org/garden")
        .containsEntry("Juliet", "juliet@example.org/balcony");
    assertThat(scenario.movesTime()).isTrue();
    assertThat(scenario.steps())
        .extracting(step -> step.getClass().getSimpleName() + " " + step.line())
        .containsExactly(
            "Connects 6",
            "Sends 7",
            "Receives 10",
            "Receives 11",
            "ReceivesNothing 12",
            "Advances 13",
            "Disconnects 14",
            "Enters 15",
            "Skips 16",
            "Drops 17");
    var several = (Scenario.Receives) scenario.steps().get(3);
    assertThat(several.anyOrder()).isTrue();
    assertThat(several.atLeast()).isTrue();
    assertThat(several.expected()).hasSize(2);
    assertThat(((Scenario.Advances) scenario.steps().get(5)).step())
        .isEqualTo(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Romeo dances|3: not a step: Romeo dances",
        "Mercutio connects|3: no client Mercutio is declared",
        "Romeo receives|3: no element to receive",
        "Romeo sends|3: nothing to send",
        "Romeo connects twice|3: what is this: twice",
        "Romeo receives (in time) <a/>|3: unknown option (in time)",
        "Romeo receives <a|3: not XML",
        "client Romeo x@example.org/y|3: client Romeo is declared twice",
        "client Tybalt t@example.org/y|3: nothing happens"
      })
  void saysWhereAndWhatIsWrong(String line, String message) {
    assertThatThrownBy(() ->
            ScenarioParser.parse(
                "x.xmpp", "# title\nclient Romeo romeo@example.org/garden\n" + line))
        .isInstanceOf(ScenarioSyntaxException.class)
        .hasMessageStartingWith("x.xmpp:" + message);
  }

  @Test
  void knowsTheRoomsAndAccountsThatAreWrittenTo() {
    Scenario scenario =
        ScenarioParser.parse(
            "rooms.xmpp",
            """
            client Romeo  romeo@example.org/garden
            Romeo connects
            Romeo enters coven@rooms.example.org/hag
            Romeo sends <message to='juliet@example.org'/><message to='juliet@example.net'/>
            Romeo sends <message to='romeo@example.org'/><iq to='example.org'/>
            Romeo sends <message to='cellar@rooms.example.org/x'/><iq to='rooms.example.org'/>
            Romeo sends <message to='coven@rooms.example.org'/><iq to='bar@otherexample.org'/>
            """);

    assertThat(scenario.addressees())
        .containsExactly(
            "coven@rooms.example.org", "juliet@example.org", "cellar@rooms.example.org");
  }
}
