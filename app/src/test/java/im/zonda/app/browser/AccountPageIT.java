package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringReader;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/// What people do with their account in a browser: the pages below `/account` of the packaged
/// server, in Chromium. Pictures of the windows are in `target/browser`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class AccountPageIT {
  private static final String PASSWORD = "the rose garden";
  private static final Path PICTURES = Path.of("target", "browser");
  private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([0-9a-f]+)\"");
  private static final Path AXE = Path.of("target", "axe", "axe.min.js");

  private Path folder;
  private ProductServer server;
  private Chromium browser;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    this.folder = folder;
    assumeTrue(ProductServer.hasChat(), "skipped: the product was built without npm");
    browser = Chromium.start(Files.createDirectory(folder.resolve("profile")));
    StringBuilder accounts = new StringBuilder();
    for (String name : List.of("alice", "bob", "carol")) {
      accounts.append(name).append("@localhost,").append(PASSWORD).append('\n');
    }
    server =
        ProductServer.start(Files.createDirectory(folder.resolve("server")), accounts.toString());
  }

  @AfterEach
  void nothingWasForbidden() {
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

  private static void signIn(BrowserWindow window, String address, String name, String password) {
    window.open(address + "/account");
    window.write("#name", name);
    window.write("#password", password);
    window.click("main form button");
  }

  private static void picture(BrowserWindow window, String name) throws IOException {
    window.keepPicture(PICTURES.resolve("account-" + name + ".png"));
  }

  private ScriptedClient client(String name, String password) throws Exception {
    ScriptedClient client =
        new ScriptedClient(
            SocketWire.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.clientPort())));
    client.login(Login.of(name + "@localhost/phone", password).withSecurity(Login.Security.NONE));
    return client;
  }

  /// From the sign-in to the deletion, over TLS.
  @Test
  void someoneManagesAnAccount() throws Exception {
    BrowserWindow alice = browser.window().acceptCertificates();
    signIn(alice, server.encrypted(), "alice", "wrong");
    alice.waitForText("This name or password is wrong.");
    picture(alice, "refused");
    alice.write("#password", PASSWORD);
    alice.click("main form button");
    alice.waitForText("alice@localhost");

    Path file = folder.resolve("picture.png");
    ImageIO.write(new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
    alice.write("#name", "Alice Liddell");
    alice.choose("#picture", file);
    alice.click("button", "Save");
    alice.waitForText("Saved.");
    alice.waitFor("document.querySelector('img.avatar').naturalWidth === 64");
    picture(alice, "profile");

    try (ScriptedClient phone = client("alice", PASSWORD)) {
      phone.send("<iq type='get' id='v'><vCard xmlns='vcard-temp'/></iq>");
      assertThat(phone.receiveFirst(e -> "v".equals(e.attribute("id"))).toString())
          .contains("<FN>Alice Liddell</FN>", "image/png");
      alice.click("nav a", "Devices");
      alice.waitForText("connected now");
      picture(alice, "devices");
      alice.click(".devices button");
      alice.waitForText("may still know your password");
      assertThat(phone.awaitStreamError()).isEqualTo("not-authorized");
    }

    alice.click("nav a", "Password");
    alice.write("#old", PASSWORD);
    alice.write("#new", "another garden");
    alice.write("#again", "another garden");
    picture(alice, "password");
    alice.click("button", "Change password");
    alice.waitForText("Your password has been changed.");
    client("alice", "another garden").close();

    alice.click("nav a", "My data");
    alice.waitForText("keep it safe");
    picture(alice, "export");
    alice.click("nav a", "Delete account");
    alice.waitForText("The following is deleted too");
    picture(alice, "delete");
    alice.write("#password", "another garden");
    alice.click("button.danger");
    alice.waitForText("Your account has been deleted");
    alice.open(server.encrypted() + "/account");
    alice.waitForText("Sign in with your name and password");
    assertThat(server.run("user", "list")).doesNotContain("alice@localhost");
  }

  /// The file that the form of the page downloads, as a browser asks for it.
  @Test
  void theDataOfAnAccountAreOneDocument() throws Exception {
    try (ScriptedClient carol = client("carol", PASSWORD);
        HttpClient http = HttpClient.newBuilder().cookieHandler(new CookieManager()).build()) {
      carol.send("<message type='chat' to='bob@localhost'><body>for the archive</body></message>");
      carol.fence("archived");
      String form = tokenOf(send(http, "/account", null).body());
      send(
          http,
          "/account/sign-in",
          "token=" + form + "&name=carol&password=" + PASSWORD.replace(' ', '+'));
      String token = tokenOf(send(http, "/account/export", null).body());
      HttpResponse<String> file = send(http, "/account/export", "token=" + token);
      assertThat(file.statusCode()).isEqualTo(200);
      assertThat(file.headers().firstValue("Content-Disposition").orElseThrow())
          .contains("attachment; filename=\"carol@localhost.xml\"");
      assertThat(file.body())
          .startsWith("<?xml version='1.0' encoding='UTF-8'?>")
          .contains("<server-data xmlns='urn:xmpp:pie:0'>", "for the archive", "jabber:iq:roster")
          .endsWith("</server-data>\n");
      Document document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(file.body())));
      assertThat(document.getElementsByTagName("result").getLength()).isEqualTo(1);
    }
  }

  private static String tokenOf(String page) {
    Matcher token = TOKEN.matcher(page);
    assertThat(token.find()).as(page).isTrue();
    return token.group(1);
  }

  private HttpResponse<String> send(HttpClient http, String path, @Nullable String form)
      throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.plain() + path));
    if (form != null) {
      request
          .header("Content-Type", "application/x-www-form-urlencoded")
          .POST(HttpRequest.BodyPublishers.ofString(form));
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /// A session ends where the browser says so, and a page that was open before is of no use then.
  @Test
  void aSessionIsOfNoUseAfterSigningOut() {
    BrowserWindow bob = browser.window();
    signIn(bob, server.plain(), "bob", PASSWORD);
    bob.waitForText("bob@localhost");
    bob.click("button", "Sign out");
    bob.waitForText("You have signed out.");
    // Which has the browser forget the pages before; nobody is as quick as a test.
    bob.waitFor(
        "performance.getEntriesByType('resource')"
            + ".some(each => each.name.endsWith('/forget.css') && each.responseEnd > 0)");
    bob.evaluate("history.back()");
    bob.waitForText("Sign in with your name and password");
    bob.open(server.plain() + "/account/devices");
    bob.waitForText("Sign in with your name and password");
  }

  /// No serious obstacle for people who use a screen reader or a keyboard, or see colours badly,
  /// and nothing wider than the screen of a phone.
  @Test
  void pagesAreAccessibleAndFitAPhone() throws Exception {
    assumeTrue(Files.isRegularFile(AXE), "skipped: npm has not brought axe-core");
    String axe = Files.readString(AXE);
    BrowserWindow carol = browser.window().asPhone();
    carol.open(server.plain() + "/account");
    check(carol, axe, "sign-in");
    signIn(carol, server.plain(), "carol", PASSWORD);
    carol.waitForText("carol@localhost");
    try (ScriptedClient _ = client("carol", PASSWORD)) {
      for (String page : List.of("", "/password", "/devices", "/export", "/delete")) {
        carol.open(server.plain() + "/account" + page);
        check(carol, axe, page.isEmpty() ? "profile" : page.substring(1));
      }
    }
    carol.open(server.plain() + "/account?done=saved");
    check(carol, axe, "done");
  }

  private static void check(BrowserWindow window, String axe, String page) throws IOException {
    picture(window, "phone-" + page);
    window.evaluate(axe + ";null");
    Object obstacles =
        window.evaluate(
            """
            axe.run(document).then(found => found.violations
              .filter(each => ['serious', 'critical'].includes(each.impact))
              .map(each => each.id + ' at ' + each.nodes.map(node => node.target).join(', '))
              .join('\\n'))
            """);
    assertThat(String.valueOf(obstacles)).as(page).isEqualTo("");
    assertThat((Double) window.evaluate("document.documentElement.scrollWidth"))
        .as(page)
        .isLessThanOrEqualTo(BrowserWindow.PHONE_WIDTH);
  }
}
