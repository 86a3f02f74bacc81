package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.database.FreePorts;
import im.zonda.testkit.relay.RelayedConnection;
import im.zonda.testkit.relay.TcpRelay;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What people do in a browser: the pages and the chat of the packaged server, in Chromium.
/// Pictures of the windows are in `target/browser`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class BrowserIT {
  private static final String PASSWORD = "the rose garden";
  private static final String COMPOSER = "textarea.chat-textarea";
  private static final Path PICTURES = Path.of("target", "browser");
  static final Path AXE = Path.of("target", "axe", "axe.min.js");

  /// A name that would be a script if a page took it for markup.
  private static final String EVIL = "<img src=x onerror=\"window.hacked=1\">\"'><b>";

  private Path folder;
  private ProductServer server;
  private Chromium browser;
  private BrowserWindow alice;
  private BrowserWindow bob;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    this.folder = folder;
    assumeTrue(ProductServer.hasChat(), "skipped: the product was built without npm");
    browser = Chromium.start(Files.createDirectory(folder.resolve("profile")));
    StringBuilder accounts = new StringBuilder();
    for (String name : List.of("alice", "bob", "carol", "dora", "mallory")) {
      accounts.append(name).append("@localhost,").append(PASSWORD).append('\n');
    }
    server =
        ProductServer.start(Files.createDirectory(folder.resolve("server")), accounts.toString());
    alice = browser.window();
    bob = browser.window();
    logIn(alice, server.plain(), "alice");
    logIn(bob, server.plain(), "bob");
  }

  @AfterEach
  void keepPictures(TestInfo test) throws Exception {
    String name = test.getTestMethod().orElseThrow().getName();
    alice.keepPicture(PICTURES.resolve(name + "-alice.png"));
    bob.keepPicture(PICTURES.resolve(name + "-bob.png"));
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

  private static void logIn(BrowserWindow window, String address, String name) {
    window.open(address + "/chat/");
    enterPassword(window, name, PASSWORD);
    window.waitForText("I am online");
  }

  private static void enterPassword(BrowserWindow window, String name, String password) {
    window.write("input[name=jid]", name);
    window.write("input[name=password]", password);
    window.click("form button[type=submit]");
  }

  private static void openChat(BrowserWindow window, String with) {
    window.evaluate("location.hash = 'converse/chat?jid=" + with + "@localhost'");
    window.clickUntil(
        "a.open-chat",
        with + "@localhost",
        "[...document.querySelectorAll('.chatbox .chat-head')].some(head =>"
            + " head.offsetParent && head.textContent.includes('"
            + with
            + "'))");
  }

  /// Opens a room and waits until it is the one in which something can be said.
  private static void enterRoom(BrowserWindow window, String name) {
    String room = name + "@rooms.localhost";
    window.evaluate("location.hash = 'converse/room?jid=" + room + "'");
    window.waitFor(
        """
        (() => {
          const shown = [...document.querySelectorAll('%s')].find(each => each.offsetParent);
          for (let each = shown; each; each = each.parentElement) {
            if (each.getAttribute('jid') === '%s' || each.model?.get?.('jid') === '%s') {
              return true;
            }
          }
          return false;
        })()
        """
            .formatted(COMPOSER, room, room));
  }

  /// A link of the start page opens the room that it names, whatever its address has.
  @Test
  void aRoomOfAnyAddressIsOpenedByItsLink() {
    String room = "z\u00fcrich\\2f\u4e2d%41=b";
    alice.evaluate(
        "location.hash = 'room=' + encodeURIComponent("
            + JsonReader.quote(room + "@rooms.localhost")
            + ")");
    alice.waitForText("z\u00fcrich");
    say(alice, "Is anyone in the town?");
    alice.waitForText("Is anyone in the town?");
    do {
      bob.open(server.plain() + "/"); // whose list is read again after some seconds
    } while (!bob.text().contains(room + "@rooms.localhost"));
    bob.click("li h3 a[href*='z%C3%BCrich']");
    bob.waitForText("Is anyone in the town?"); // the room's history
  }

  private static void say(BrowserWindow window, String text) {
    window.write(COMPOSER, text);
    window.enter();
  }

  private static void waitForPicture(BrowserWindow window, int width) {
    window.waitFor(
        "[...document.querySelectorAll('.chat-msg img')].some(picture =>"
            + " picture.complete && picture.naturalWidth === "
            + width
            + ")");
  }

  private Path picture(int width) throws Exception {
    Path file = folder.resolve("picture-" + width + ".png");
    ImageIO.write(new BufferedImage(width, 20, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
    return file;
  }

  @Test
  void twoPeopleChatAndSendAPicture() throws Exception {
    openChat(alice, "bob");
    say(alice, "What light through yonder window breaks?");
    openChat(bob, "alice");
    bob.waitForText("What light through yonder window breaks?");
    say(bob, "It is the east");
    alice.waitForText("It is the east");
    alice.choose(".chatbox input[type=file]", picture(33));
    waitForPicture(alice, 33);
    waitForPicture(bob, 33);

    bob.reload();
    bob.waitForText("I am online");
    openChat(bob, "alice");
    bob.waitForText("It is the east");
    waitForPicture(bob, 33);
  }

  @Test
  void aRoomIsMadeAndEntered() {
    enterRoom(alice, "orchard");
    say(alice, "Is anyone in the orchard?");
    alice.waitForText("Is anyone in the orchard?");
    enterRoom(bob, "orchard");
    say(bob, "Someone sits under a tree");
    alice.waitForText("Someone sits under a tree");
    bob.waitForText("Is anyone in the orchard?"); // the room's history
  }

  /// From the list of rooms on the start page, without an account.
  @Test
  void aGuestEntersARoom() throws Exception {
    enterRoom(alice, "terrace");
    say(alice, "Is anyone on the terrace?");
    alice.waitForText("Is anyone on the terrace?");
    BrowserWindow guest = browser.window();
    do {
      guest.open(server.plain() + "/"); // whose list is read again after some seconds
    } while (!guest.text().contains("terrace@rooms.localhost"));
    guest.click("li a[href*='guest'][href*='terrace']", "Enter as a guest");
    guest.write(".muc-nickname-form input[name=nick]", "visitor");
    guest.click(".muc-nickname-form [type=submit]");
    guest.waitForText("Is anyone on the terrace?"); // the room's history
    say(guest, "Someone who has no account");
    alice.waitForText("Someone who has no account");
    alice.waitForText("visitor");
    guest.keepPicture(PICTURES.resolve("aGuestEntersARoom.png"));
  }

  @Test
  void aWrongPasswordIsSaid() {
    BrowserWindow window = browser.window();
    window.open(server.plain() + "/chat/");
    enterPassword(window, "carol", "wrong");
    window.waitForText("The user name or the password is wrong.");
    assertThat(window.text()).doesNotContain("I am online");
  }

  /// The network between the browser and the server is cut, and new connections fail until it is
  /// back.
  @Test
  void theChatConnectsAgainWhenTheNetworkIsBack() throws Exception {
    InetSocketAddress http = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    AtomicReference<InetSocketAddress> target = new AtomicReference<>(http);
    try (TcpRelay relay = new TcpRelay(target::get)) {
      BrowserWindow window = browser.window();
      logIn(window, "http://127.0.0.1:" + relay.address().getPort(), "carol");
      window.evaluate("location.hash = 'converse/chat?jid=bob@localhost'");
      say(window, "before the cut");
      openChat(bob, "carol");
      bob.waitForText("before the cut");

      target.set(unusedAddress());
      relay.connections().forEach(RelayedConnection::cut);
      window.waitForText("Reconnecting");
      say(bob, "said meanwhile");
      assertThat(window.text()).doesNotContain("said meanwhile");

      target.set(http);
      window.waitForText("said meanwhile");
      say(window, "after the cut");
      bob.waitForText("after the cut");
    }
  }

  private static InetSocketAddress unusedAddress() throws IOException {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next());
  }

  @Test
  void theChatWorksWithTls() throws Exception {
    BrowserWindow window = browser.window().acceptCertificates();
    logIn(window, server.encrypted(), "carol");
    window.evaluate("location.hash = 'converse/chat?jid=dora@localhost'");
    window.choose(".chatbox input[type=file]", picture(44));
    waitForPicture(window, 44);
    window.keepPicture(PICTURES.resolve("theChatWorksWithTls.png"));
  }

  @Test
  void theChatFitsAPhone() throws Exception {
    BrowserWindow phone = browser.window().asPhone();
    logIn(phone, server.plain(), "dora");
    assertFits(phone);
    phone.evaluate("location.hash = 'converse/chat?jid=bob@localhost'");
    say(phone, "from a phone");
    phone.waitForText("from a phone");
    assertFits(phone);
    phone.keepPicture(PICTURES.resolve("theChatFitsAPhone.png"));
    for (String page : List.of("/", "/register", "/help", "/invite/none")) {
      phone.open(server.plain() + page);
      assertFits(phone);
    }
  }

  static void assertFits(BrowserWindow window) {
    // A phone makes the page as wide as its content, so this is not the width of the window.
    assertThat((Double) window.evaluate("document.documentElement.scrollWidth"))
        .as("nothing is beside the screen")
        .isLessThanOrEqualTo(BrowserWindow.PHONE_WIDTH);
  }

  @Test
  void someoneRegistersAndIsInTheChat() {
    BrowserWindow window = browser.window();
    window.open(server.plain() + "/");
    window.click("a", "Create an account");
    window.write("#name", "alice");
    window.waitForText("already has this name");
    window.evaluate("document.querySelector('#name').value = ''");
    window.write("#name", "juliet");
    window.write("#password", PASSWORD);
    window.waitForText("juliet@localhost is free");
    window.click("form button:not([type])");
    window.waitForText("I am online");
  }

  private String invitation() throws Exception {
    String said = server.run("invite");
    Matcher url = Pattern.compile("https?://\\S+(/invite/[^\\s?#]+)").matcher(said);
    assertThat(url.find()).as(said).isTrue();
    return server.plain() + url.group(1);
  }

  /// Names of rooms and people are texts, on our pages and in the chat.
  @Test
  void row92_namesAreNotMarkup() throws Exception {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.clientPort());
    String evil = EVIL.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&apos;");
    try (ScriptedClient mallory = new ScriptedClient(SocketWire.connect(address))) {
      mallory.login(Login.of("mallory@localhost/m", PASSWORD).withSecurity(Login.Security.NONE));
      mallory.send(
          "<iq type='set' id='v'><vCard xmlns='vcard-temp'><FN>"
              + evil
              + "</FN><NICKNAME>"
              + evil
              + "</NICKNAME></vCard></iq>"
              + "<presence to='evil@rooms.localhost/m'>"
              + "<x xmlns='http://jabber.org/protocol/muc'/></presence>"
              + "<iq type='set' id='c' to='evil@rooms.localhost'>"
              + "<query xmlns='http://jabber.org/protocol/muc#owner'>"
              + "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'>"
              + "<value>http://jabber.org/protocol/muc#roomconfig</value></field>"
              + "<field var='muc#roomconfig_roomname'><value>"
              + evil
              + "</value></field><field var='muc#roomconfig_roomdesc'><value>"
              + evil
              + "</value></field><field var='muc#roomconfig_publicroom'><value>1</value></field>"
              + "</x></query></iq>"
              + "<message type='groupchat' to='evil@rooms.localhost'><subject>"
              + evil
              + "</subject></message>"
              + "<message type='chat' to='bob@localhost'><body>"
              + evil
              + "</body></message>");
      mallory.fence("done");
      BrowserWindow window = browser.window();
      window.open(server.plain() + "/");
      window.waitForText(EVIL);
      assertThat(window.evaluate("String(window.hacked)")).isEqualTo("undefined");
      bob.evaluate("location.hash = 'converse/room?jid=evil@rooms.localhost'");
      say(bob, "Who is here?");
      bob.waitForText("onerror");
      bob.clickUntil(
          "a.open-chat", "onerror", "document.body.innerText.includes('Would you like to add')");
      bob.waitForText(EVIL);
      assertThat(bob.evaluate("String(window.hacked)")).isEqualTo("undefined");
      awaitMember(mallory, "bob@localhost"); // the chat registers the name of who has entered
      mallory.send(
          "<iq type='set' id='d' to='evil@rooms.localhost'>"
              + "<query xmlns='http://jabber.org/protocol/muc#owner'><destroy/></query></iq>");
      mallory.fence("destroyed");
    }
  }

  private static void awaitMember(ScriptedClient owner, String account) {
    String members;
    do {
      owner.send(
          "<iq type='get' id='m' to='evil@rooms.localhost'>"
              + "<query xmlns='http://jabber.org/protocol/muc#admin'>"
              + "<item affiliation='member'/></query></iq>");
      members = owner.receiveFirst(e -> "m".equals(e.attribute("id"))).toString();
    } while (!members.contains(account));
  }

  /// No serious obstacle for people who use a screen reader or a keyboard, or see colours badly.
  @Test
  void pagesAreAccessible() throws Exception {
    assumeTrue(Files.isRegularFile(AXE), "skipped: npm has not brought axe-core");
    String axe = Files.readString(AXE);
    BrowserWindow window = browser.window();
    for (String page :
        List.of(
            server.plain() + "/",
            server.plain() + "/register",
            server.plain() + "/help",
            invitation(),
            server.plain() + "/invite/none")) {
      window.open(page);
      assertThat(obstacles(window, axe)).as(page).isEqualTo("");
    }
  }

  /// The obstacles that axe-core finds.
  static String obstacles(BrowserWindow window, String axe) {
    window.evaluate(axe + ";null");
    return String.valueOf(
        window.evaluate(
            """
            axe.run(document).then(found => found.violations
              .filter(each => ['serious', 'critical'].includes(each.impact))
              .map(each => each.id + ' at ' + each.nodes.map(node => node.target).join(', '))
              .join('\\n'))
            """));
  }
}
