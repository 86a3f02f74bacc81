package im.zonda.app.caches;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.store.ScramKeys;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How many queries an operation costs. A test that fails here names the queries.
class QueryCountTest {
  private static final String ROOM = "hall@rooms.example.org";
  private static final String MUC = "http://jabber.org/protocol/muc";

  private final List<CountingStores> wrapped = new ArrayList<>();
  private CountingStores counting;
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // started before each test
  QueryCountTest() {}

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withStores(stores -> {
              wrapped.add(new CountingStores(stores));
              return wrapped.getLast();
            })
            .startInMemory();
    counting = wrapped.getLast();
    server.accounts(List.of("romeo@example.org", "juliet@example.org"));
    counting.take();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /// Whether the account is disabled is asked before the proof. With the first session of a home,
  /// bookmarks are looked for in private XML, and a picture in the vCard.
  @Test
  void aColdLoginTakesFiveQueriesAndAWarmOneNone() {
    ScriptedClient romeo = login("romeo");
    assertThat(counting.take())
        .containsExactly("accounts.find", "values", "home", "private.get", "vcard.get");
    ready(romeo);
    assertThat(counting.take()).isEmpty();
    logout(romeo);
    ScriptedClient again = login("romeo");
    assertThat(counting.take()).isEmpty();
    ready(again);
    assertThat(counting.take()).isEmpty();
  }

  @Test
  void aLoginAfterMessagesWereReceivedTakesNone() {
    ScriptedClient romeo = login("romeo");
    ready(romeo);
    ScriptedClient juliet = login("juliet");
    ready(juliet);
    juliet.send("<message type='chat' to='romeo@example.org'><body>one</body></message>");
    assertThat(romeo.receive().childText("body")).isEqualTo("one");
    logout(romeo);
    logout(juliet);
    ready(login("romeo"));
    assertThat(counting.take()).isEmpty();
  }

  @Test
  void aLoginAfterMessagesHaveWaitedReadsThem() {
    ready(login("juliet"));
    ScriptedClient juliet = login("juliet");
    juliet.send("<message type='chat' to='romeo@example.org'><body>one</body></message>");
    juliet.fence("sent");
    server.advance(Duration.ofMinutes(1));
    counting.take();
    ScriptedClient romeo = login("romeo");
    assertThat(counting.take()).contains("messages.waitingCount");
    ready(romeo);
    assertThat(counting.take()).contains("messages.waiting");
  }

  @Test
  void aMessageTakesNone() {
    ScriptedClient romeo = login("romeo");
    ready(romeo);
    ScriptedClient juliet = login("juliet");
    ready(juliet);
    counting.take();
    juliet.send("<message type='chat' to='romeo@example.org'><body>one</body></message>");
    romeo.receive();
    assertThat(counting.take()).isEmpty();
    logout(romeo);
    juliet.send("<message type='chat' to='romeo@example.org'><body>two</body></message>");
    juliet.fence("stored");
    assertThat(counting.take()).isEmpty(); // the home is loaded again from the caches
  }

  @Test
  void whatDoesNotExistIsAskedForOnce() {
    ScriptedClient romeo = login("romeo");
    ready(romeo);
    counting.take();
    for (int i = 0; i < 3; i++) {
      romeo.send("<message type='chat' to='nobody@example.org'><body>one</body></message>");
      assertThat(romeo.receive().attribute("type")).isEqualTo("error");
    }
    assertThat(counting.take()).containsExactly("accounts.find");
    for (int i = 0; i < 3; i++) {
      romeo.send("<iq type='get' id='v" + i + "'><vCard xmlns='vcard-temp'/></iq>");
      assertThat(romeo.receive().attribute("type")).isEqualTo("error");
    }
    assertThat(counting.take()).isEmpty(); // it was looked for at the login
  }

  @Test
  void privateXmlIsReadOnce() {
    ScriptedClient romeo = login("romeo");
    ready(romeo);
    String data = "<query xmlns='jabber:iq:private'><s xmlns='urn:example:1'>%s</s></query>";
    romeo.send("<iq type='set' id='s'>" + data.formatted("x") + "</iq>");
    romeo.receiveFirst(e -> "s".equals(e.attribute("id")));
    counting.take();
    for (int i = 0; i < 3; i++) {
      romeo.send("<iq type='get' id='g'>" + data.formatted("") + "</iq>");
      XmlElement answer = romeo.receive();
      assertThat(answer.toString()).contains(">x<");
    }
    assertThat(counting.take()).isEmpty();
  }

  @Test
  void enteringARoomAgainTakesNone() {
    ScriptedClient romeo = login("romeo");
    ready(romeo);
    ScriptedClient juliet = login("juliet");
    ready(juliet);
    enter(romeo, "romeo");
    romeo.send(
        "<iq type='set' id='c' to='"
            + ROOM
            + "'><query xmlns='"
            + MUC
            + "#owner'><x xmlns='jabber:x:data' type='submit'/></query></iq>");
    romeo.receiveFirst(e -> "c".equals(e.attribute("id")));
    counting.take();
    for (int i = 0; i < 2; i++) {
      enter(juliet, "juliet");
      juliet.send("<message type='groupchat' to='" + ROOM + "'><body>one</body></message>");
      juliet.receiveFirst(e -> "one".equals(e.childText("body")));
      juliet.send("<presence type='unavailable' to='" + ROOM + "/juliet'/>");
      juliet.receiveFirst(e -> "unavailable".equals(e.attribute("type")));
    }
    assertThat(counting.take()).isEmpty();
  }

  @Test
  void row39_aGuesserCausesTheSameQueriesForAnyName() {
    for (String name : List.of("romeo", "nobody")) {
      for (int i = 0; i < 3; i++) {
        assertThat(attempt(name, "wrong")).isEqualTo("failure");
      }
      assertThat(counting.take()).as(name).containsExactly("accounts.find", "values");
      server.advance(Duration.ofMinutes(5)); // until the failures are forgotten
      counting.take();
    }
  }

  @Test
  void row47_anOldPasswordIsRejectedAtOnce() {
    assertThat(attempt("romeo", TestServer.PASSWORD)).isEqualTo("success");
    Jid romeo = Jid.of("romeo@example.org");
    List<ScramKeys> changed = List.of(Passwords.derive("new", "SHA-256", new byte[16], 4_096));
    assertThat(server.stores().accounts().changeKeys(romeo, changed)).isTrue();
    assertThat(attempt("romeo", TestServer.PASSWORD)).isEqualTo("failure");
    assertThat(attempt("romeo", "new")).isEqualTo("success");
    assertThat(server.stores().accounts().remove(romeo)).isTrue();
    assertThat(attempt("romeo", "new")).isEqualTo("failure");
  }

  /// The name of the server's final element.
  private String attempt(String name, String password) {
    try (ScriptedClient client = server.connected(Login.Security.NONE, "example.org")) {
      Login login =
          Login.of(name + "@example.org", password)
              .withSecurity(Login.Security.NONE)
              .withMechanism("SCRAM-SHA-256");
      return client.open("example.org").authenticate(login).name().getLocalPart();
    }
  }

  private ScriptedClient login(String name) {
    return server.login(
        Login.of(name + "@example.org/balcony", TestServer.PASSWORD)
            .withSecurity(Login.Security.NONE));
  }

  /// What a client does after it has logged in.
  private void ready(ScriptedClient client) {
    client.send("<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>");
    client.send("<presence/>");
    client.fence("ready");
    client.skipUnread();
  }

  /// Ends the session and lets its home be unloaded.
  private void logout(ScriptedClient client) {
    client.disconnect();
    server.advance(Duration.ofSeconds(6));
    server.advance(Duration.ofSeconds(6));
    assertThat(server.server().router().loadedAccounts()).isLessThanOrEqualTo(1);
    counting.take();
  }

  private static void enter(ScriptedClient client, String nick) {
    client.send("<presence to='" + ROOM + "/" + nick + "'><x xmlns='" + MUC + "'/></presence>");
    client.receiveFirst(e -> e.child("subject") != null);
  }
}
