package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.xml.XmlElement;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The chat in the browser comes back after the server or the computer was away: with the same
/// session, with all messages once and in order, and with its content in view all the time.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class ChatResumesIT {
  private static final String PASSWORD = "the rose garden";
  private static final String COMPOSER = "textarea.chat-textarea";
  private static final Path PICTURES = Path.of("target", "browser");
  private static final String AWAY = "document.querySelector('#zonda-away').textContent";

  /// A clock of the page that is ahead by an hour from the message on that says so, as that of a
  /// computer that has slept for an hour and reads only then what had come before. A clock that was
  /// ahead at once would be noticed before the message came, if the page has time for that.
  private static final String HOUR_AHEAD =
      """
      (() => {
        const Real = window.Date;
        let ahead = 0;
        window.Date = class extends Real {
          constructor(...given) {
            super(...(given.length ? given : [window.Date.now()]));
          }
          static now() {
            if (String(window.event?.data).includes('read an hour later')) {
              ahead = 3600000;
            }
            return Real.now() + ahead;
          }
        };
        window.setClock = () => { window.Date = Real; };
      })()
      """;

  private ProductServer server;

  /// Alice's computer, and that of everyone else.
  private Chromium laptop;

  private Chromium browser;
  private BrowserWindow alice;
  private BrowserWindow bob;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    assumeTrue(ProductServer.hasChat(), "skipped: the product was built without npm");
    laptop = Chromium.start(Files.createDirectory(folder.resolve("laptop")));
    browser = Chromium.start(Files.createDirectory(folder.resolve("browser")));
    StringBuilder accounts = new StringBuilder();
    for (String name : List.of("alice", "bob", "carol")) {
      accounts.append(name).append("@localhost,").append(PASSWORD).append('\n');
    }
    server =
        ProductServer.start(
            Files.createDirectory(folder.resolve("server")),
            accounts.toString(),
            """
            limits.idle-time = "3s"
            limits.ping-time = "5s"
            """);
    becomeContacts();
    alice = laptop.window();
    bob = browser.window();
    logIn(alice, "alice");
    logIn(bob, "bob");
  }

  /// Both read what the other has said.
  @BeforeEach
  void talk(TestInfo test) {
    openChat(alice, "bob");
    openChat(bob, "alice");
    say(alice, "alice begins " + test.getDisplayName());
    bob.waitForText("alice begins " + test.getDisplayName());
    say(bob, "bob begins " + test.getDisplayName());
    alice.waitForText("bob begins " + test.getDisplayName());
  }

  @AfterEach
  void keepPictures(TestInfo test) throws Exception {
    String name = test.getTestMethod().orElseThrow().getName();
    alice.keepPicture(PICTURES.resolve(name + "-alice.png"));
    bob.keepPicture(PICTURES.resolve(name + "-bob.png"));
    List<String> complaints = new ArrayList<>(laptop.complaints());
    complaints.addAll(browser.complaints());
    laptop.complaints().clear();
    browser.complaints().clear();
    assertThat(complaints).as("what pages were not allowed to do").isEmpty();
  }

  @AfterAll
  void stop() {
    for (Chromium each : new Chromium[] {laptop, browser}) {
      if (each != null) {
        each.close();
      }
    }
    if (server != null) {
      server.close();
    }
  }

  private void logIn(BrowserWindow window, String name) {
    window.open(server.plain() + "/chat/");
    window.write("input[name=jid]", name);
    window.write("input[name=password]", PASSWORD);
    window.click("form button[type=submit]");
    window.waitForText("I am online");
  }

  private static void openChat(BrowserWindow window, String with) {
    window.evaluate("location.hash = 'converse/chat?jid=" + with + "@localhost'");
    window.waitFor("document.querySelector('.chatbox " + COMPOSER + "').offsetParent");
  }

  private static void say(BrowserWindow window, String text) {
    window.write(COMPOSER, text);
    window.enter();
  }

  private static void awaitAway(BrowserWindow window) {
    window.waitFor(AWAY + ".startsWith('Reconnecting')");
  }

  private static void awaitBack(BrowserWindow window) {
    window.waitFor(AWAY + " === '' && document.body.innerText.includes('I am online')");
  }

  /// Asserts that the last messages in view are these.
  private static void assertLast(BrowserWindow window, String... texts) {
    window.waitForText(texts[texts.length - 1]);
    String shown =
        String.valueOf(
            window.evaluate(
                """
                [...document.querySelectorAll('.chat-msg__text')]
                  .filter(each => each.offsetParent).map(each => each.innerText.trim())
                  .slice(-%d).join('|')
                """
                    .formatted(texts.length)));
    assertThat(shown).isEqualTo(String.join("|", texts));
  }

  private ScriptedClient connect(String name) throws Exception {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.clientPort());
    return new ScriptedClient(SocketWire.connect(address))
        .login(Login.of(name + "@localhost/probe", PASSWORD).withSecurity(Login.Security.NONE));
  }

  /// Alice sees Carol's presence.
  private void becomeContacts() throws Exception {
    try (ScriptedClient her = connect("alice");
        ScriptedClient carol = connect("carol")) {
      her.send("<presence to='carol@localhost' type='subscribe'/>");
      her.fence("asked");
      carol.send("<presence to='alice@localhost' type='subscribed'/>");
      carol.fence("answered");
      her.disconnect();
      carol.disconnect();
    }
  }

  /// The resources of the account that others see as available: another client of the account gets
  /// the presence of each.
  private List<String> available(String name) throws Exception {
    List<String> resources = new ArrayList<>();
    try (ScriptedClient client = connect(name)) {
      client.send(
          "<presence/><iq type='get' id='p' to='localhost'><ping xmlns='urn:xmpp:ping'/></iq>");
      XmlElement each = client.receive();
      while (!"p".equals(each.attribute("id"))) {
        String from = String.valueOf(each.attribute("from"));
        if (each.localName().equals("presence")
            && from.startsWith(name + "@")
            && !from.endsWith("/probe")) {
          resources.add(from);
        }
        each = client.receive();
      }
      client.disconnect();
    }
    return resources;
  }

  /// Twice: converse.js gives a session up after it was resumed once.
  @Test
  void theSessionIsResumedAfterTheServerWasStoppedAndStarted() throws Exception {
    List<String> before = available("alice");
    assertThat(before).hasSize(1);
    for (int i = 0; i < 2; i++) {
      server.stop();
      awaitAway(alice);
      awaitAway(bob);
      assertThat(alice.text()).contains("I am online", "bob begins");
      say(alice, "said while away " + i);
      alice.keepPicture(PICTURES.resolve("theServerIsAway.png"));
      server.restart();
      awaitBack(alice);
      bob.waitForText("said while away " + i);
      say(bob, "answered " + i);
      assertLast(alice, "said while away " + i, "answered " + i);
      assertLast(bob, "said while away " + i, "answered " + i);
    }
    assertThat(available("alice")).isEqualTo(before);
  }

  /// The session is lost with the server; a new one takes its place.
  @Test
  void theChatComesBackAfterTheServerWasKilled() throws Exception {
    server.kill();
    awaitAway(alice);
    awaitAway(bob);
    assertThat(alice.text()).contains("bob begins");
    say(alice, "said to nobody");
    server.restart();
    bob.waitForText("said to nobody");
    awaitBack(alice);
    say(bob, "heard after all");
    assertLast(alice, "said to nobody", "heard after all");
    assertLast(bob, "said to nobody", "heard after all");
    assertThat(available("alice")).hasSize(1);
    assertThat(available("bob")).hasSize(1);
  }

  /// A message that came before the computer fell asleep, or while it did, and one after the server
  /// was started again.
  @Test
  void nothingIsMissedWhileTheComputerSleeps() throws Exception {
    List<String> before = available("alice");
    try {
      laptop.sleep();
      say(bob, "said to a sleeper");
      awaitDetached();
      server.stop();
      awaitAway(bob);
      server.restart();
      awaitBack(bob);
      say(bob, "said after the restart");
    } finally {
      laptop.wakeUp();
    }
    alice.waitForText("said after the restart");
    awaitBack(alice);
    assertLast(alice, "said to a sleeper", "said after the restart");
    assertThat(available("alice")).isEqualTo(before);
  }

  /// The presence of a contact that changed meanwhile is that in view.
  @Test
  void aContactWhoLeftMeanwhileIsSeenAsOffline() throws Exception {
    try (ScriptedClient carol = connect("carol")) {
      carol.send("<presence/>");
      awaitPresence("online");
      try {
        laptop.sleep();
        awaitDetached();
        carol.disconnect();
      } finally {
        laptop.wakeUp();
      }
    }
    awaitPresence("offline");
  }

  private void awaitPresence(String show) {
    alice.waitFor(
        "document.querySelector('a[data-jid=\"carol@localhost\"] .chat-status')"
            + ".getAttribute('color').includes('"
            + show
            + "')");
  }

  /// Waits until the server has noticed that Alice's computer sleeps.
  private void awaitDetached() throws Exception {
    while (!server.run("status").contains("1 detached")) {
      assertThat(bob.text()).contains("I am online");
    }
  }

  /// What was read at waking up has the time at which it was sent, and stands before what is said
  /// then.
  @Test
  void aMessageThatWasReadLateHasItsOwnTime() {
    alice.evaluate(HOUR_AHEAD);
    say(bob, "read an hour later");
    alice.waitForText("read an hour later");
    alice.waitFor(
        """
        [...document.querySelectorAll('.chat-msg__time')]
          .every(each => Date.parse(each.getAttribute('timestamp')) < Date.now() - 3000000)
        """);
    alice.evaluate("setClock()");
    say(bob, "read at once");
    assertLast(alice, "read an hour later", "read at once");
  }

  /// A page that was loaded again has the address of its session, and takes no other one for a new
  /// session.
  @Test
  void aPageThatIsLoadedAgainKeepsItsAddress() throws Exception {
    List<String> before = available("alice");
    alice.reload();
    alice.waitForText("I am online");
    openChat(alice, "bob");
    assertThat(available("alice")).isEqualTo(before);
    server.kill();
    awaitAway(alice);
    server.restart();
    awaitBack(alice);
    awaitBack(bob);
    say(alice, "loaded again");
    bob.waitForText("loaded again");
    assertThat(available("alice")).isEqualTo(before);
  }

  /// A room is not left, and shows what was said.
  @Test
  void aRoomStaysInView() throws Exception {
    for (BrowserWindow each : List.of(alice, bob)) {
      each.evaluate("location.hash = 'converse/room?jid=balcony@rooms.localhost'");
      each.waitFor("document.querySelector('converse-muc " + COMPOSER + "').offsetParent");
    }
    say(alice, "It is the lark");
    bob.waitForText("It is the lark");
    server.stop();
    awaitAway(alice);
    awaitAway(bob);
    assertLast(bob, "It is the lark");
    say(bob, "It was the nightingale");
    server.restart();
    alice.waitForText("It was the nightingale");
    assertLast(alice, "It is the lark", "It was the nightingale");
  }
}
