package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.database.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The first hour of a new server, in Chromium: from the one-time link to a person who was invited
/// and logs in. Pictures of the windows are in `target/browser`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class StartIT {
  private static final Path PICTURES = Path.of("target", "browser");

  /// A domain that Chromium finds at this machine.
  private static final String DOMAIN = "first.localhost";

  private ProductInBrowser product;
  private ProductServer server;
  private Chromium browser;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    product = ProductInBrowser.start(folder, List.of(), "");
    server = product.server();
    browser = product.browser();
  }

  @AfterEach
  void nothingWasForbidden() {
    product.assertNothingWasForbidden();
  }

  @AfterAll
  void stop() {
    if (product != null) {
      product.close();
    }
  }

  /// Keeps a picture, and looks for obstacles.
  private static void look(BrowserWindow window, String name) throws IOException {
    window.keepPicture(PICTURES.resolve("start-" + name + ".png"));
    if (Files.isRegularFile(BrowserIT.AXE)) { // npm has brought it
      assertThat(BrowserIT.obstacles(window, Files.readString(BrowserIT.AXE))).as(name).isEmpty();
    }
    assertThat((Double) window.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
        .as(name)
        .isLessThanOrEqualTo(0);
  }

  private void step(BrowserWindow window, String step, String text) {
    window.open(server.plain() + "/admin/start?step=" + step);
    window.waitForText(text);
  }

  private static void send(BrowserWindow window, String action) {
    window.click("form:has(input[name=action][value=" + action + "]) button");
  }

  @Test
  void fromTheLinkToTheFirstPerson() throws Exception {
    BrowserWindow owner = browser.window();
    owner.open(server.adminLink());
    owner.waitForText("0 of 6 steps are done for localhost");
    assertThat(owner.evaluate("location.pathname")).isEqualTo("/admin/start");
    look(owner, "begin");

    owner.write("#f-domain", "@@");
    send(owner, "domain");
    owner.waitForText("must be a list of domains");
    look(owner, "wrong-domain");
    owner.evaluate("document.querySelector('#f-domain').value = ''");
    owner.write("#f-domain", DOMAIN);
    send(owner, "domain");
    owner.waitForText("1 of 6 steps are done for " + DOMAIN);
    owner.waitForText("this machine only");
    look(owner, "addresses");

    step(owner, "dns", "DNS was not looked at yet.");
    owner.click("main .links a", "Check now");
    owner.waitForText("Check again");
    step(owner, "certificate", "signed by the server itself");
    look(owner, "certificate");
    owner.evaluate("document.querySelector('#f-directory').value = 'http://ca.example/'");
    send(owner, "acme");
    owner.waitForText("acme.directory is no URL that begins with https://");

    step(owner, "people", "Invite someone");
    owner.write("#f-username", "romeo");
    send(owner, "invite");
    owner.waitForText("Send this link to the person");
    look(owner, "invited");
    assertThat(owner.evaluate("document.querySelectorAll('svg.qr').length")).isEqualTo(1.0);
    String invitation =
        String.valueOf(owner.evaluate("document.querySelector('#invitation-link').value"));
    assertThat(invitation).startsWith("https://" + DOMAIN + ":");
    become(invitation);

    step(owner, "people", "Appoint an administrator");
    owner.write("#f-administrator", "romeo");
    send(owner, "admin");
    owner.waitForText("romeo@" + DOMAIN);
    owner.open(server.plain() + "/admin/setting-history");
    owner.waitForText("config.set hosts");
    look(owner, "history");
    BrowserWindow romeo = browser.window();
    romeo.open(server.plain() + "/admin/sign-in");
    romeo.write("#name", "romeo@" + DOMAIN);
    romeo.write("#password", ProductInBrowser.PASSWORD);
    romeo.click("main form button");
    romeo.waitForText("You administer " + DOMAIN);
  }

  /// Someone follows an invitation, and logs in with a client.
  private void become(String invitation) throws Exception {
    BrowserWindow person = browser.window().acceptCertificates().asPhone();
    person.open(invitation);
    person.waitForText("You are invited to chat at " + DOMAIN);
    person.write("#password", ProductInBrowser.PASSWORD);
    person.click("#join button:not([type])");
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.clientPort());
    person.waitFor("location.pathname === '/chat/' || document.body.innerText.includes('created')");
    try (ScriptedClient client = new ScriptedClient(SocketWire.connect(address))) {
      client.login(
          Login.of("romeo@" + DOMAIN + "/phone", ProductInBrowser.PASSWORD)
              .withSecurity(Login.Security.NONE));
      client.fence("in");
    }
  }

  /// A setting is shown as it would be, changed, and restored.
  @Test
  void aSettingIsChangedAndRestored() throws Exception {
    BrowserWindow owner = browser.window();
    owner.open(server.adminLink());
    owner.waitForText("First steps");
    owner.open(server.plain() + "/admin/configuration?text=archive.page");
    owner.waitForText("archive.page");
    owner.click("td.actions a", "Change");
    owner.waitForText("Waits for a restart");
    owner.evaluate("document.querySelector('#f-value').value = 'many'");
    owner.click("main form button", "Show what would change");
    owner.waitForText("archive.page must be a whole number");
    owner.evaluate("document.querySelector('#f-value').value = '99'");
    owner.click("main form button", "Show what would change");
    owner.waitForText("+ page = 99");
    look(owner, "preview");
    owner.click("main form button", "Write it and take it over");
    owner.waitForText("Done: ");
    owner.waitForText("zonda.toml:");
    assertThat(server.run("config", "show")).contains("page = 99 ");
    owner.click(".links a", "History");
    owner.waitForText("config.set archive.page");
    owner.click("td a");
    owner.waitForText("- page = 99");
    owner.click("main form button", "Put this content back");
    owner.waitForText("Done: ");
    assertThat(server.run("config", "show")).doesNotContain("page = 99 ");
  }

  /// An authority is set in the page; the server is started again there, and the page says at which
  /// step the order fails and why. The session of the console survives that.
  @Test
  void anAuthorityThatIsNotThere(@TempDir Path folder) throws Exception {
    try (ProductServer other = ProductServer.start(folder, "", "")) {
      BrowserWindow owner = browser.window();
      owner.open(other.adminLink());
      owner.waitForText("First steps");
      owner.write("#f-domain", DOMAIN);
      send(owner, "domain");
      owner.waitForText("1 of 6 steps are done");
      String page = other.plain() + "/admin/start?step=certificate";
      owner.open(page);
      owner.waitForText("signed by the server itself");
      owner.evaluate("document.querySelector('#f-directory').value = 'https://127.0.0.1:1/d'");
      owner.click("input[name=terms]");
      send(owner, "acme");
      owner.waitForText("These settings wait for a restart: acme.directory");
      send(owner, "restart");
      Eventually.await("the order fails", () -> hasFailed(other));
      owner.open(page);
      owner.waitForText("the last attempt has failed");
      owner.waitForText("failed here");
      look(owner, "order");
    }
  }

  private static boolean hasFailed(ProductServer server) throws Exception {
    try {
      return server.run("certificate", "acme").contains("failed");
    } catch (AssertionError e) {
      return false; // it is being started again
    }
  }

  /// The pages fit a phone and the dark.
  @Test
  void pagesFitAPhoneAndTheDark() throws Exception {
    BrowserWindow phone = browser.window().asPhone();
    BrowserWindow dark = browser.window().inTheDark();
    for (BrowserWindow each : List.of(phone, dark)) {
      each.open(server.adminLink());
      each.waitForText("First steps");
    }
    String[] pages = {
      "start?step=network",
      "start?step=certificate",
      "start?step=people",
      "invite",
      "setting?key=hosts&step=preview&value=a.example",
      "setting-history",
      "configuration"
    };
    for (String page : pages) {
      phone.open(server.plain() + "/admin/" + page);
      look(phone, "phone-" + page.replaceAll("[^a-z]+", "-"));
      dark.open(server.plain() + "/admin/" + page);
      look(dark, "dark-" + page.replaceAll("[^a-z]+", "-"));
    }
  }
}
