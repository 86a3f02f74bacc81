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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/// What happens to the messages of today's clients, as a table: a row is a message, a column is
/// what the server may do with it besides delivering it.
///
/// The receiver has a client `h` that gets the message, a client `l` of lower priority that has
/// copies enabled, and a phone that has registered a push service and is away. The columns:
///
/// - `copied`: `l` gets a copy (XEP-0280)
/// - `archived`: the message is in the archive (XEP-0313)
/// - `pushed`: the push service of the phone is notified (XEP-0357)
/// - `waits`: while no client is there, the message waits for one (XEP-0160)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MessageKindsTest {
  private static final String JINGLE = " xmlns='urn:xmpp:jingle-message:0' id='c'/>";
  private static final String STORE = "<store xmlns='urn:xmpp:hints'/>";
  private static final String EME =
      "<encryption xmlns='urn:xmpp:eme:0' namespace='urn:xmpp:omemo:2'/>";

  private static final String TABLE =
      """
      message            copied archived pushed waits
      body               yes    yes      yes    yes
      body-normal        yes    yes      yes    yes
      styled             yes    yes      yes    yes
      oob                yes    yes      yes    yes
      mention            yes    yes      yes    yes
      correction         yes    yes      yes    yes
      encrypted          yes    yes      yes    yes
      encrypted-no-body  yes    yes      yes    yes
      encrypted-keys     yes    yes      no     yes
      propose            yes    yes      yes    yes
      ringing            yes    yes      no     yes
      proceed            yes    yes      no     yes
      reject             yes    yes      no     yes
      retract            yes    yes      no     yes
      finish             yes    yes      no     yes
      call-invite        yes    yes      yes    yes
      call-left          yes    yes      no     yes
      direct-invitation  yes    yes      yes    yes
      receipt            yes    yes      no     yes
      receipt-normal     yes    yes      no     yes
      displayed          yes    yes      no     yes
      reaction           yes    yes      no     yes
      retraction         yes    yes      no     yes
      composing          yes    no       no     no
      markable-only      yes    no       no     no
      no-store           yes    no       no     no
      no-permanent-store yes    no       no     yes
      no-copy            no     yes      yes    yes
      private            no     yes      yes    yes
      headline           no     no       no     no
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
  Stream<DynamicTest> everyRowOfTheTable() {
    return TABLE
        .lines()
        .skip(1)
        .map(line -> List.of(line.split(" +")))
        .map(row -> DynamicTest.dynamicTest(row.getFirst(), () -> check(row)));
  }

  private void check(List<String> row) {
    List<String> outcome = new ArrayList<>();
    outcome.add(row.getFirst());
    outcome.addAll(whileThere(row.getFirst()));
    outcome.add(waits(row.getFirst()));
    assertThat(outcome).isEqualTo(row);
  }

  /// The columns `copied`, `archived` and `pushed`.
  private List<String> whileThere(String kind) {
    String account = "receiver" + cases++ + "@example.org";
    ScriptedClient app = server.connect("app" + cases + "@example.org/server");
    ScriptedClient phone = server.connect(account + "/phone");
    phone.send(
        "<iq type='set' id='e'><enable xmlns='urn:xmpp:push:0' jid='"
            + app.jid()
            + "' node='n'/></iq>");
    assertThat(phone.receive().attribute("type")).isEqualTo("result");
    phone.drop();
    app.fence("dropped", account);
    ScriptedClient high = available(account + "/h", 5);
    ScriptedClient low = server.connect(account + "/l");
    low.send("<iq type='set' id='c'><enable xmlns='urn:xmpp:carbons:2'/></iq>");
    assertThat(low.receive().attribute("type")).isEqualTo("result");
    low.send("<presence><priority>0</priority></presence>");
    low.fence("l");
    low.skipUnread();
    high.fence("h");
    high.skipUnread();

    ScriptedClient sender = send(kind, account);
    high.fence("seen");
    assertThat(high.receive().localName()).isEqualTo("message");
    low.fence("seen");
    // A headline goes to each client itself (RFC 6121, section 8.5.2.1.1).
    boolean copied = !kind.equals("headline") && low.unread() > 0;
    if (copied) {
      assertThat(low.receive().child("urn:xmpp:carbons:2", "received")).isNotNull();
    }
    low.skipUnread();
    app.fence("seen");
    boolean pushed = app.unread() > 0;
    low.send("<iq type='set' id='q'><query xmlns='urn:xmpp:mam:2'/></iq>");
    boolean archived = false;
    XmlElement answer = low.receive();
    while (!answer.localName().equals("iq")) {
      archived = true;
      answer = low.receive();
    }
    List.of(app, high, low, sender).forEach(ScriptedClient::drop);
    return List.of(word(copied), word(archived), word(pushed));
  }

  private String waits(String kind) {
    String account = "receiver" + cases++ + "@example.org";
    server.accounts(List.of(account));
    send(kind, account).drop();
    return word(server.stores().messages().waitingCount(Jid.of(account)) > 0);
  }

  private ScriptedClient send(String kind, String account) {
    ScriptedClient sender = server.connect("sender" + cases + "@example.org/s");
    String type =
        switch (kind) {
          case "headline" -> "headline";
          case "body-normal", "receipt-normal", "direct-invitation" -> "normal";
          default -> "chat";
        };
    sender.send(
        "<message type='" + type + "' id='m' to='" + account + "'>" + payload(kind) + "</message>");
    sender.fence("done" + cases, account);
    return sender;
  }

  private ScriptedClient available(String jid, int priority) {
    return server.connect(jid).send("<presence><priority>" + priority + "</priority></presence>");
  }

  private static String word(boolean is) {
    return is ? "yes" : "no";
  }

  private static String payload(String kind) {
    String body = "<body>hello</body>";
    return switch (kind) {
      case "styled" -> "<body>*hello*</body><unstyled xmlns='urn:xmpp:styling:0'/>";
      case "oob" -> body + "<x xmlns='jabber:x:oob'><url>https://example.org/a</url></x>";
      case "mention" -> body + "<mentions xmlns='urn:xmpp:mentions:0'/>";
      case "correction" -> body + "<replace xmlns='urn:xmpp:message-correct:0' id='a'/>";
      case "encrypted" -> body + omemo("<payload>x</payload>") + EME;
      case "encrypted-no-body" -> omemo("<payload>x</payload>") + EME + STORE;
      case "encrypted-keys" -> omemo("") + EME;
      case "propose", "ringing", "proceed", "reject", "retract", "finish" ->
          "<" + kind + JINGLE + STORE;
      case "call-invite" -> "<invite xmlns='urn:xmpp:call-invites:0' video='true'/>" + STORE;
      case "call-left" -> "<left xmlns='urn:xmpp:call-invites:0' id='i'/>" + STORE;
      case "direct-invitation" -> "<x xmlns='jabber:x:conference' jid='r@rooms.example.org'/>";
      case "receipt", "receipt-normal" -> "<received xmlns='urn:xmpp:receipts' id='a'/>";
      case "displayed" -> "<displayed xmlns='urn:xmpp:chat-markers:0' id='a'/>";
      case "reaction" ->
          "<reactions xmlns='urn:xmpp:reactions:0' id='a'><reaction>!</reaction></reactions>";
      case "retraction" -> "<retract xmlns='urn:xmpp:message-retract:1' id='a'/>";
      case "composing" -> "<composing xmlns='http://jabber.org/protocol/chatstates'/>";
      case "markable-only" -> "<markable xmlns='urn:xmpp:chat-markers:0'/>";
      case "no-store", "no-permanent-store", "no-copy" ->
          body + "<" + kind + " xmlns='urn:xmpp:hints'/>";
      case "private" -> body + "<private xmlns='urn:xmpp:carbons:2'/>";
      default -> body;
    };
  }

  private static String omemo(String payload) {
    return "<encrypted xmlns='urn:xmpp:omemo:2'><header/>" + payload + "</encrypted>";
  }
}
