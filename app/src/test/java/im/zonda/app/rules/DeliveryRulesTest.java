package im.zonda.app.rules;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.jid.Jid;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/// What a server does with a stanza for one of its accounts (RFC 6121, section 8.5), as a table: a
/// row is a stanza, a column is who is there and how the stanza is addressed.
///
/// The account has up to two sessions: `h` with the higher priority or the only one, and `l`. A
/// cell says who gets the stanza (`h`, `l`, `hl`), or `store`, or the error that goes back
/// (`error`), or that nothing happens (`-`). Where the RFC leaves a choice, the cell is ours. The
/// columns:
///
/// - `none`: there is no such account
/// - `away`: no session; bare address
/// - `bound`: one session that has not sent presence; bare address
/// - `minus`: one session of priority -1; bare address
/// - `two`: sessions of priority 5 (`h`) and 0 (`l`); bare address
/// - `equal`: two sessions of priority 0; bare address
/// - `full`: as `two`; the full address of `l`
/// - `fullm`: one session of priority -1; its full address
/// - `gone`: as `two`; a full address that nobody has
/// - `gonea`: no session; a full address
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DeliveryRulesTest {
  private static final String BODY = "<body>hello</body>";

  private static final String TABLE =
      """
      stanza           none  away  bound minus two   equal full  fullm gone  gonea
      normal           error store store store h     hl    l     h     error error
      chat             error store store store h     hl    l     h     h     store
      groupchat        error error error error error error l     h     error error
      headline         error -     -     -     hl    hl    l     h     -     -
      error            -     -     -     -     -     -     l     h     -     -
      iq-get           error error error error error error l     h     error error
      iq-set           error error error error error error l     h     error error
      iq-result        -     -     -     -     -     -     l     h     -     -
      iq-error         -     -     -     -     -     -     l     h     -     -
      available        -     -     -     h     hl    hl    l     h     -     -
      unavailable      -     -     -     h     hl    hl    l     h     -     -
      """;

  private TestServer server;
  private int cases;

  @BeforeAll
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).startInMemory();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @TestFactory
  Stream<DynamicTest> everyCellOfTheTable() {
    List<String> lines = TABLE.lines().toList();
    List<String> columns = List.of(lines.getFirst().split(" +"));
    List<DynamicTest> tests = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      List<String> cells = List.of(line.split(" +"));
      assertThat(cells).as(line).hasSameSizeAs(columns);
      for (int i = 1; i < cells.size(); i++) {
        String stanza = cells.getFirst();
        String column = columns.get(i);
        String expected = cells.get(i);
        tests.add(
            DynamicTest.dynamicTest(
                stanza + " / " + column + ": " + expected,
                () -> assertThat(outcome(stanza, column)).isEqualTo(expected)));
      }
    }
    return tests.stream();
  }

  private String outcome(String stanza, String column) {
    String account = "receiver" + cases++ + "@example.org";
    if (!column.equals("none")) {
      server.accounts(List.of(account));
    }
    Map<String, ScriptedClient> sessions = sessions(column, account);
    String to =
        switch (column) {
          case "full" -> account + "/l";
          case "fullm" -> account + "/h";
          case "gone", "gonea" -> account + "/nobody";
          default -> account;
        };
    ScriptedClient sender = server.connect("sender" + cases + "@example.org/s");
    sender.send(xml(stanza, to));
    sender.fence("done" + cases, account);

    StringBuilder outcome = new StringBuilder();
    sessions.forEach((name, client) -> {
      client.fence("seen" + cases);
      if (client.unread() > 0) {
        assertThat(client.receive().attribute("from")).isEqualTo(sender.jid());
        outcome.append(name);
      }
    });
    if (server.stores().messages().waitingCount(Jid.of(account)) > 0) {
      outcome.append("store");
    }
    if (sender.unread() > 0) {
      XmlElement answer = sender.receive();
      assertThat(answer.attribute("type")).isEqualTo("error");
      assertThat(answer.condition()).isEqualTo("service-unavailable");
      outcome.append("error");
    }
    assertThat(sender.unread()).isZero();
    sessions.values().forEach(ScriptedClient::drop);
    sender.drop();
    return outcome.isEmpty() ? "-" : outcome.toString();
  }

  private Map<String, ScriptedClient> sessions(String column, String account) {
    Map<String, ScriptedClient> sessions = new LinkedHashMap<>();
    switch (column) {
      case "bound" -> sessions.put("h", server.connect(account + "/h"));
      case "minus", "fullm" -> sessions.put("h", available(account + "/h", -1));
      case "two", "full", "gone" -> {
        sessions.put("h", available(account + "/h", 5));
        sessions.put("l", available(account + "/l", 0));
      }
      case "equal" -> {
        sessions.put("h", available(account + "/h", 0));
        sessions.put("l", available(account + "/l", 0));
      }
      default -> {}
    }
    // What they told each other is not of interest.
    sessions.forEach((name, client) -> {
      client.fence("ready-" + name);
      while (client.unread() > 0) {
        client.receive();
      }
    });
    return sessions;
  }

  private ScriptedClient available(String jid, int priority) {
    return server.connect(jid).send("<presence><priority>" + priority + "</priority></presence>");
  }

  private static String xml(String stanza, String to) {
    String error =
        "<error type='cancel'><gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>";
    return switch (stanza) {
      case "normal" -> "<message to='" + to + "'>" + BODY + "</message>";
      case "error" -> "<message type='error' to='" + to + "'>" + error + "</message>";
      case "iq-get", "iq-set" ->
          "<iq id='q' type='" + stanza.substring(3) + "' to='" + to + "'><q xmlns='urn:q'/></iq>";
      case "iq-result" -> "<iq id='q' type='result' to='" + to + "'/>";
      case "iq-error" -> "<iq id='q' type='error' to='" + to + "'>" + error + "</iq>";
      case "available" -> "<presence to='" + to + "'/>";
      case "unavailable" -> "<presence type='unavailable' to='" + to + "'/>";
      default -> "<message type='" + stanza + "' to='" + to + "'>" + BODY + "</message>";
    };
  }
}
