package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the chat looks like and offers, and whom it talks to. The colour of the server is one on
/// which white cannot be read. Pictures of the windows are in `target/browser`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class ChatLooksIT {
  private static final String PASSWORD = "the rose garden";
  private static final String COMPOSER = "textarea.chat-textarea";
  private static final Path PICTURES = Path.of("target", "browser");
  private static final Path AXE = Path.of("target", "axe", "axe.min.js");

  /// The address to which a stanza goes, or of which it speaks.
  private static final Pattern ADDRESS = Pattern.compile("\\b(?:to|jid)=[\"']([^\"']+)[\"']");

  /// The texts of a window whose contrast with what is behind them is less than 4.5, or 3 for large
  /// ones (WCAG 2.2, success criterion 1.4.3).
  private static final String HARD_TO_READ =
      """
      (() => {
        const parts = color => (color.match(/[\\d.]+/g) ?? []).map(Number);
        const luminance = color => parts(color).slice(0, 3)
          .map(part => part / 255)
          .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
          .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
        const behind = element => {
          for (let each = element; each; each = each.parentElement) {
            const color = getComputedStyle(each).backgroundColor;
            if (parts(color).length === 3) { return color; }
          }
          return 'rgb(255, 255, 255)';
        };
        const hard = [];
        for (const element of document.querySelectorAll('body *')) {
          const text = [...element.childNodes].filter(node => node.nodeType === 3)
            .map(node => node.data.trim()).join('');
          if (!text || !(element instanceof HTMLElement) || !element.checkVisibility()
              || element.closest('converse-avatar')) { // which is a picture
            continue;
          }
          const style = getComputedStyle(element);
          const size = parseFloat(style.fontSize);
          const least = size >= 24 || size >= 18.66 && style.fontWeight >= 700 ? 3 : 4.5;
          const [a, b] = [luminance(style.color), luminance(behind(element))];
          const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (contrast < least) {
            hard.push(`${text}: ${style.color} on ${behind(element)}, ${contrast.toFixed(2)}`);
          }
        }
        return hard.join('\\n');
      })()
      """;

  private ProductServer server;
  private Chromium browser;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    assumeTrue(ProductServer.hasChat(), "skipped: the product was built without npm");
    browser = Chromium.start(Files.createDirectory(folder.resolve("profile")));
    StringBuilder accounts = new StringBuilder();
    for (String name :
        List.of("admin", "alice", "bob", "carol", "dora", "emma", "fay", "gil", "hans")) {
      accounts.append(name).append("@localhost,").append(PASSWORD).append('\n');
    }
    server =
        ProductServer.start(
            Files.createDirectory(folder.resolve("server")),
            accounts.toString(),
            """
            services.web.title = "Rose Garden"
            services.web.color = "#ffd84d"
            services.administration.admins = ["admin@localhost"]
            """);
    try (ScriptedClient owner = client("gil")) {
      owner.send(
          "<presence to='terrace@rooms.localhost/gil'>"
              + "<x xmlns='http://jabber.org/protocol/muc'/></presence>"
              + "<iq type='set' id='c' to='terrace@rooms.localhost'>"
              + "<query xmlns='http://jabber.org/protocol/muc#owner'>"
              + "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'>"
              + "<value>http://jabber.org/protocol/muc#roomconfig</value></field>"
              + "<field var='muc#roomconfig_roomname'><value>The terrace</value></field>"
              + "<field var='muc#roomconfig_persistentroom'><value>1</value></field>"
              + "<field var='muc#roomconfig_publicroom'><value>1</value></field></x></query></iq>");
      owner.fence("made");
    }
  }

  @AfterEach
  void nothingWasForbidden() {
    List<String> complaints = List.copyOf(browser.complaints());
    browser.complaints().clear();
    assertThat(complaints)
        .as("what pages were not allowed to do")
        // converse.js 14 says so if someone logs out while it makes its keys.
        .filteredOn(complaint -> !complaint.contains("generateBundle"))
        .isEmpty();
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
    client.login(Login.of(name + "@localhost/" + name, PASSWORD).withSecurity(Login.Security.NONE));
    return client;
  }

  /// Logs in and returns the window, in which the menu at the user's name is.
  private BrowserWindow logIn(BrowserWindow window, String name) {
    window.open(server.plain() + "/chat/");
    window.write("input[name=jid]", name);
    window.write("input[name=password]", PASSWORD);
    window.click("form button[type=submit]");
    window.waitFor("document.querySelector('.zonda-user-name')?.textContent === '" + name + "'");
    return window;
  }

  /// Opens a conversation where no other chat is shown.
  private static void openChat(BrowserWindow window, String with) {
    window.evaluate("location.hash = 'converse/chat?jid=" + with + "@localhost'");
    window.waitFor(
        "[...document.querySelectorAll('.chatbox .chat-head')].some(head =>"
            + " head.offsetParent && head.textContent.includes('"
            + with
            + "'))");
  }

  private static void say(BrowserWindow window, String text) {
    window.write(COMPOSER, text);
    window.enter();
    window.waitForText(text);
  }

  private static void chooseInMenu(BrowserWindow window, String entry) {
    window.click(".zonda-user");
    window.click("#zonda-menu > *", entry);
  }

  /// A name of a room was sent to a search service of others while it was typed.
  @Test
  void nothingLeavesTheHouse() throws Exception {
    browser.requests().clear();
    browser.frames().clear();
    BrowserWindow window = logIn(browser.window(), "alice");
    window.click(".zonda-actions button", "Rooms");
    window.write(".modal input[name=chatroom]", "terra");
    window.click(".modal .suggestion-box__results li", "terrace");
    window.click(".modal [type=submit]");
    say(window, "Who knows of the merger?");
    chooseInMenu(window, "Your profile");
    window.waitForText("Full Name");
    window.click(".modal .nav-link", "OMEMO");
    window.waitForText("fingerprint");
    window.click(".modal-footer button", "Close");
    window.evaluate("location.hash = 'converse/chat?jid=hans@localhost'");
    window.clickUntil(
        "a.open-chat",
        "hans@localhost",
        "document.querySelector('.chat-head').textContent.includes('hans')");
    say(window, "See https://example.org/page and https://example.org/cat.png");
    window.waitFor("document.querySelector('.chat-msg a[href=\"https://example.org/cat.png\"]')");
    window.keepPicture(PICTURES.resolve("nothingLeavesTheHouse.png"));

    assertThat(browser.requests())
        .filteredOn(url -> !url.startsWith("data:") && !url.startsWith("blob:"))
        .filteredOn(url -> !url.equals("about:blank"))
        .hasSizeGreaterThan(10)
        .allSatisfy(url -> assertThat(URI.create(url).getHost()).isEqualTo("127.0.0.1"));
    assertThat(browser.frames()).hasSizeGreaterThan(10);
    for (String frame : browser.frames()) {
      Matcher addresses = ADDRESS.matcher(frame);
      while (addresses.find()) {
        assertThat(addresses.group(1)).as(frame).matches("([^@]+@)?([a-z]+\\.)?localhost(/.*)?");
      }
    }
  }

  /// On a screen and on a phone, in the light and in the dark: each of them once, and with `./zonda
  /// test --all` each with each.
  @Test
  void everythingCanBeReadInAllModes() throws Exception {
    List<BrowserWindow> windows =
        Boolean.getBoolean("zonda.test.all")
            ? List.of(
                browser.window(),
                browser.window().inTheDark(),
                browser.window().asPhone(),
                browser.window().asPhone().inTheDark())
            : List.of(browser.window(), browser.window().asPhone().inTheDark());
    int screens = windows.size() / 2;
    for (int i = 0; i < windows.size(); i++) {
      BrowserWindow window = logIn(windows.get(i), "dora");
      window.keepPicture(PICTURES.resolve("chat-" + i + "-empty.png"));
      assertIsReadable(window);
      window.click(".zonda-user");
      assertIsReadable(window);
      window.click(".zonda-user");
      openChat(window, "carol");
      say(window, "A message of mode " + i);
      window.keepPicture(PICTURES.resolve("chat-" + i + ".png"));
      assertIsReadable(window);
      assertThat((Double) window.evaluate("document.documentElement.scrollWidth"))
          .isLessThanOrEqualTo(i < screens ? 1_280 : BrowserWindow.PHONE_WIDTH);
    }
  }

  private static void assertIsReadable(BrowserWindow window) throws Exception {
    assertThat(window.evaluate(HARD_TO_READ)).isEqualTo("");
    if (Files.isRegularFile(AXE)) { // which npm brings
      assertThat(BrowserIT.obstacles(window, Files.readString(AXE))).isEmpty();
    }
  }

  @Test
  void theEmptyChatSaysWhatToDo() throws Exception {
    BrowserWindow window = logIn(browser.window().speaking("de"), "emma");
    window.waitForText("Willkommen bei Rose Garden");
    window.waitForText("Jemandem schreiben");
    window.waitForText("The terrace");
    window.click(".zonda-cards button", "Jemanden einladen");
    window.waitForText("Schick diesen Link");
    String link = String.valueOf(window.evaluate("document.querySelector('.modal input').value"));
    window.keepPicture(PICTURES.resolve("theEmptyChatSaysWhatToDo.png"));
    BrowserWindow friend = browser.window();
    friend.open(server.plain() + URI.create(link).getPath());
    friend.waitForText("emma invites you to chat");
    window.click(".modal-footer button", "Schlie\u00dfen");
    window.click(".zonda-room", "The terrace");
    say(window, "Ist jemand da?");
  }

  @Test
  void onlyAdministratorsSeeTheCommands() throws Exception {
    BrowserWindow admin = logIn(browser.window(), "admin");
    admin.waitFor("document.querySelector('#zonda-menu').textContent.includes('Administration')");
    chooseInMenu(admin, "Administration");
    admin.waitForText("Disable User");
    assertThat(admin.text()).doesNotContain("On which entity");
    admin.keepPicture(PICTURES.resolve("onlyAdministratorsSeeTheCommands.png"));

    BrowserWindow fay = logIn(browser.window(), "fay");
    fay.waitForText("Invite someone"); // the commands are known
    assertThat(
            String.valueOf(
                fay.evaluate("document.querySelector('#zonda-menu').textContent.trim()")))
        .contains("Your account", "Help", "Log out")
        .doesNotContain("Administration");
    assertThat(fay.evaluate("document.querySelector('.show-client-info')")).isNull();
    chooseInMenu(fay, "Log out");
    fay.waitForText("User name");
    assertThat(fay.evaluate("String(document.querySelector('.zonda-user'))")).isEqualTo("null");
  }

  @Test
  void unreadMessagesAreInTheTitleAndNotificationsAreOffered() throws Exception {
    BrowserWindow window = logIn(browser.window(), "bob");
    assertThat(window.evaluate("document.title")).isEqualTo("Chat · Rose Garden");
    assertThat(window.evaluate("String(document.querySelector('#zonda-notify'))"))
        .isEqualTo("null");
    try (ScriptedClient carol = client("carol")) {
      carol.send(
          "<message to='bob@localhost' type='chat' id='a'><body>Are you there?</body></message>");
      carol.fence("sent");
    }
    window.waitFor("document.title === '(1) Chat · Rose Garden'");
    window.keepPicture(PICTURES.resolve("unreadMessagesAreInTheTitle.png"));
    window.click("#zonda-notify button", "No, thanks");
    openChat(window, "carol");
    window.waitFor("document.title === 'Chat · Rose Garden'");
    say(window, "Here I am");
    assertThat(window.evaluate("String(document.querySelector('#zonda-notify'))"))
        .isEqualTo("null");
  }

  /// It stood at the time of the reaction on every device that read it from the archive.
  @Test
  void aMessageWithAReactionKeepsItsPlace() throws Exception {
    BrowserWindow first = logIn(browser.window(), "carol");
    openChat(first, "gil");
    try (ScriptedClient gil = client("gil")) {
      String to = "<message to='carol@localhost' type='chat' id='";
      // Each is shown before the next is sent, so that they have different times.
      gil.send(to + "m1'><body>The first</body></message>");
      first.waitForText("The first");
      gil.send(to + "m2'><body>The second</body></message>");
      first.waitForText("The second");
      gil.send(
          to
              + "m3'><reactions xmlns='urn:xmpp:reactions:0' id='m1'><reaction>\u2764</reaction>"
              + "</reactions><store xmlns='urn:xmpp:hints'/></message>");
      first.waitForText("\u2764");
    }
    BrowserWindow later = logIn(browser.window(), "carol");
    openChat(later, "gil");
    later.waitForText("\u2764");
    later.keepPicture(PICTURES.resolve("aMessageWithAReactionKeepsItsPlace.png"));
    assertThat(
            later.evaluate(
                "[...document.querySelectorAll('.chat-msg')]"
                    + ".sort((a, b) => a.dataset.isodate < b.dataset.isodate ? -1 : 1)"
                    + ".map(each => each.querySelector('.chat-msg__text').textContent.trim())"
                    + ".join()"))
        .isEqualTo("The first,The second");
  }

  @Test
  void theChatCanBeInstalled() {
    BrowserWindow window = browser.window();
    window.open(server.plain() + "/chat/");
    // Windows of the tests keep nothing, which a browser allows for no app.
    assertThat(window.obstaclesToInstalling().replaceAll("\\{errorId=in-incognito[^}]*\\}", ""))
        .isEqualTo("[]");
  }
}
