package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The way from an invitation to the first words: a page, a form, the chat with the one who has
/// invited. Pictures of the windows are in `target/browser`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class InvitedIT {
  private static final String PASSWORD = "the rose garden";
  private static final String BUTTON = "#join button:not([type])";
  private static final Path PICTURES = Path.of("target", "browser");

  private ProductServer server;
  private Chromium browser;
  private BrowserWindow window;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    assumeTrue(ProductServer.hasChat(), "skipped: the product was built without npm");
    browser = Chromium.start(Files.createDirectory(folder.resolve("profile")));
    server =
        ProductServer.start(
            Files.createDirectory(folder.resolve("server")),
            "alice@localhost," + PASSWORD + "\nbob@localhost," + PASSWORD + "\n");
    window = browser.window();
  }

  @AfterEach
  void keepPictures(TestInfo test) throws Exception {
    window.keepPicture(PICTURES.resolve(test.getTestMethod().orElseThrow().getName() + ".png"));
    List<String> complaints = List.copyOf(browser.complaints());
    browser.complaints().clear();
    assertThat(complaints).as("what pages were not allowed to do").isEmpty();
  }

  @AfterAll
  void stop() {
    if (browser != null) {
      browser.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private ScriptedClient client(String name) throws Exception {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.clientPort());
    ScriptedClient client = new ScriptedClient(SocketWire.connect(address));
    client.login(Login.of(name + "@localhost/client", PASSWORD).withSecurity(Login.Security.NONE));
    return client;
  }

  /// The page of an invitation that an account makes.
  private String invitation(ScriptedClient inviter) {
    inviter.send(
        "<iq type='set' id='invite' to='localhost'><command node='urn:xmpp:invite#invite'"
            + " xmlns='http://jabber.org/protocol/commands' action='execute'/></iq>");
    String said = inviter.receiveFirst(e -> "invite".equals(e.attribute("id"))).toString();
    Matcher page = Pattern.compile("https?://[^<\\s]+(/invite/[^<\\s]+)").matcher(said);
    assertThat(page.find()).as(said).isTrue();
    return server.plain() + page.group(1);
  }

  private void clear(String field) {
    window.evaluate("document.querySelector('" + field + "').value = ''");
  }

  /// Whether a field has the focus, is marked as wrong, and can be seen without scrolling.
  private void waitForFocus(String field) {
    window.waitFor(
        """
        (() => {
          const field = document.activeElement, box = field.getBoundingClientRect();
          return field.id === '%s' && field.getAttribute('aria-invalid') === 'true'
            && box.top >= 0 && box.bottom <= innerHeight;
        })()
        """
            .formatted(field));
  }

  private void assertNoObstacles() throws Exception {
    if (Files.isRegularFile(BrowserIT.AXE)) { // npm has brought it
      assertThat(BrowserIT.obstacles(window, Files.readString(BrowserIT.AXE))).isEmpty();
    }
  }

  private static String roster(ScriptedClient client) {
    client.send("<iq type='get' id='roster'><query xmlns='jabber:iq:roster'/></iq>");
    return client.receiveFirst(e -> "roster".equals(e.attribute("id"))).toString();
  }

  @Test
  void theWayToTheFirstWords() throws Exception {
    try (ScriptedClient alice = client("alice")) {
      alice.send("<presence/>");
      window = browser.window().asPhone();
      window.open(invitation(alice));
      window.waitForText("alice invites you to chat at localhost");

      window.write("#name", "carol m\u00fcller");
      window.write("#password", "carol");
      window.waitForText("A name cannot have spaces."); // which moves the button
      window.click(BUTTON);
      waitForFocus("name");
      window.waitForText("A name cannot have spaces. Try carol.m\u00fcller");
      clear("#name");
      window.write("#name", "alice");
      window.waitForText("Someone already has this name.");
      clear("#name");
      window.write("#name", "carol");
      window.waitForText("carol@localhost is free");
      window.click(BUTTON);
      waitForFocus("password");
      window.waitForText("It needs at least 8 characters.");
      window.keepPicture(PICTURES.resolve("theWayToTheFirstWords-error.png"));
      BrowserIT.assertFits(window);
      assertNoObstacles();
      clear("#password");
      window.click("#show");
      window.write("#password", PASSWORD);
      assertThat(window.evaluate("document.querySelector('#password').type")).isEqualTo("text");
      window.click(BUTTON);

      window.waitFor("location.pathname === '/chat/'");
      window.write("textarea.chat-textarea", "Here I am"); // in the chat with the inviter
      window.enter();
      assertThat(alice.receiveFirst(e -> e.toString().contains("Here I am")).attribute("from"))
          .startsWith("carol@localhost/");
      assertThat(window.evaluate("sessionStorage.getItem('zonda-login')")).isNull();
      assertThat(String.valueOf(window.evaluate("location.href + document.body.outerHTML")))
          .doesNotContain(PASSWORD);
      assertThat(roster(alice)).contains("carol@localhost").contains("both");
      try (ScriptedClient carol = client("carol")) {
        assertThat(roster(carol)).contains("alice@localhost").contains("both");
      }
      window.reload();
      window.waitForText("Here I am");
      window.waitFor("!document.querySelector('input[name=password]')");
    }
  }

  /// Without its script the form is sent by the browser, and the page says the same.
  @Test
  void theFormWorksWithoutItsScript() throws Exception {
    try (ScriptedClient alice = client("alice")) {
      window = browser.window().without("*/web/join/*");
      window.open(invitation(alice));
      assertThat(window.text()).contains("alice invites you").doesNotContain("Show");
      window.write("#name", "bob");
      window.write("#password", PASSWORD);
      window.click(BUTTON);
      window.waitForText("Someone already has this name.");
      waitForFocus("name");
      clear("#name");
      window.write("#name", "dora");
      window.write("#password", PASSWORD);
      window.click(BUTTON);
      window.waitForText("Your account has been created. Your address is dora@localhost");
      try (ScriptedClient dora = client("dora")) {
        assertThat(roster(dora)).contains("alice@localhost");
      }
    }
  }

  private void enterWith(String password, String time) {
    window = browser.window();
    window.open(server.plain() + "/register");
    window.evaluate(
        "sessionStorage.setItem('zonda-login', JSON.stringify({ jid: 'bob@localhost', password: '"
            + password
            + "', time: "
            + time
            + " }))");
    window.open(server.plain() + "/chat/");
  }

  @Test
  void whatIsWrongOrOldLeadsToTheForm() {
    enterWith("wrong", "Date.now()");
    window.waitForText("password is wrong");
    window.waitFor("document.querySelector('input[name=password]').offsetParent");
    enterWith(PASSWORD, "Date.now() - 61000");
    window.write("input[name=jid]", "bob");
    assertThat(window.text()).doesNotContain("is wrong", "I am online");
    window.write("input[name=password]", PASSWORD);
    window.click("form button[type=submit]");
    window.waitForText("I am online");
    enterWith(PASSWORD, "Date.now()");
    window.waitForText("I am online");
  }
}
