package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.testkit.client.ScriptedClient;
import java.io.IOException;
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

/// The admin console of the packaged server, in Chromium. Pictures of the windows are in
/// `target/browser`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class ConsoleIT {
  private static final Path PICTURES = Path.of("target", "browser");
  static final Path AXE = Path.of("target", "axe", "axe.min.js");

  /// A name that a stranger may choose.
  private static final String HOSTILE = "<img src=x onerror=window.taken=1>";

  /// The pages of the rail, with a text of each.
  private static final List<String> PAGES =
      List.of(
          "",
          "load",
          "load?range=24h&table=commit",
          "queues",
          "people",
          "providers",
          "sessions",
          "rooms",
          "groups",
          "invitations",
          "reports",
          "bans",
          "failed-logins",
          "links",
          "doctor",
          "do/message.fate",
          "hosts",
          "certificates",
          "configuration",
          "plugins",
          "plugin-add",
          "caches",
          "cluster",
          "backups",
          "jobs",
          "audit",
          "tokens",
          "signed-in",
          "security",
          "log",
          "do/");

  /// Pages that between them have everything that has a colour.
  private static final List<String> DARK =
      List.of(
          "",
          "load",
          "caches",
          "people",
          "providers",
          "rooms",
          "log",
          "do/account.remove?account=dave@localhost");

  private ProductInBrowser product;
  private ProductServer server;
  private Chromium browser;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    product =
        ProductInBrowser.start(
            folder,
            List.of("alice", "bob", "carol", "dave", "erin"),
            """
            services.administration.admins = ["alice@localhost"]
            admin.label = "trial"
            """);
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

  private static void picture(BrowserWindow window, String name) throws IOException {
    window.keepPicture(PICTURES.resolve("console-" + name + ".png"));
  }

  /// The owner opens the link of the terminal once, sees who comes online without loading the page
  /// again, and administers an account.
  @Test
  void theOwnerAdministers() throws Exception {
    String link = server.adminLink();
    BrowserWindow owner = browser.window();
    owner.open(link);
    owner.waitForText("All is well. 0 people online");
    assertThat(owner.evaluate("location.href")).isEqualTo(server.plain() + "/admin/");
    try (ScriptedClient bob = product.client("bob", HOSTILE)) {
      bob.send("<presence/>");
      owner.waitForText("All is well. 1 person online");
      picture(owner, "overview");
      owner.click("nav a", "Sessions");
      owner.waitForText(HOSTILE);
      picture(owner, "sessions");
      owner.click("table a", "bob@localhost");
      owner.waitForText("Change password");
      picture(owner, "person");
      owner.click("td.actions a", "End");
      owner.waitForText("End a session");
      owner.click("main form button");
      owner.waitForText("Done: ");
      picture(owner, "done");
      assertThat(bob.awaitStreamError()).isNotEmpty();
    }
    owner.click(".links a", "Remove account");
    owner.waitForText("It cannot be undone");
    picture(owner, "remove");
    owner.click("main form button");
    owner.click(".confirm input");
    owner.click("main form button");
    owner.waitForText("Done: ");
    assertThat(server.run("user", "list")).doesNotContain("bob@localhost");
    BrowserWindow second = browser.window();
    second.open(link);
    second.waitForText("This link was used already");
    picture(second, "link-used");
  }

  /// An administrator of a host signs in with a password, and what is not allowed says which right
  /// is missing.
  @Test
  void anAdministratorOfAHostSignsIn() throws Exception {
    BrowserWindow alice = browser.window().acceptCertificates();
    alice.open(server.encrypted() + "/admin/");
    alice.waitForText("For administrators of this server.");
    picture(alice, "sign-in");
    alice.write("#name", "alice@localhost");
    alice.write("#password", "wrong");
    alice.click("main form button");
    alice.waitForText("The address or the password is wrong.");
    alice.write("#password", ProductInBrowser.PASSWORD);
    alice.click("main form button");
    alice.waitForText("You administer localhost.");
    picture(alice, "host-overview");
    alice.open(server.encrypted() + "/admin/log");
    alice.waitForText("it needs the right server");
    picture(alice, "refused");
    alice.click(".who button");
    alice.waitForText("You have signed out.");
    alice.open(server.encrypted() + "/admin/people");
    alice.waitForText("For administrators of this server.");
    BrowserWindow erin = browser.window();
    erin.open(server.plain() + "/admin/");
    erin.write("#name", "erin@localhost");
    erin.write("#password", ProductInBrowser.PASSWORD);
    erin.click("main form button");
    erin.waitForText("This account administers no host");
  }

  /// No serious obstacle on any page, and nothing wider than a phone; also in the dark.
  @Test
  void pagesAreAccessibleAndFitAPhone() throws Exception {
    assumeTrue(Files.isRegularFile(AXE), "skipped: npm has not brought axe-core");
    String axe = Files.readString(AXE);
    BrowserWindow phone = browser.window().asPhone();
    BrowserWindow dark = browser.window().inTheDark();
    server.run("room", "create", "green@rooms.localhost", "carol@localhost", "--listed");
    server.run("plugin", "add", ProductServer.PRODUCT.resolve("plugins/motd.jar").toString());
    phone.open(server.plain() + "/admin/sign-in");
    check(phone, axe, "sign-in");
    phone.open(server.adminLink());
    phone.waitForText("online");
    dark.open(server.adminLink());
    dark.waitForText("online");
    try (ScriptedClient carol = product.client("carol", "phone")) {
      carol.send(
          "<presence to='green@rooms.localhost/carol'>"
              + "<x xmlns='http://jabber.org/protocol/muc'/></presence>");
      carol.fence("entered");
      for (String page : PAGES) {
        open(phone, axe, page);
      }
      open(phone, axe, "person?account=carol@localhost");
      open(phone, axe, "room?room=green@rooms.localhost");
      open(phone, axe, "plugin?plugin=motd");
      open(phone, axe, "search?q=c");
      open(phone, axe, "do/room.configure?room=green@rooms.localhost");
      open(phone, axe, "do/account.remove?account=dave@localhost");
      for (String page : DARK) {
        dark.open(server.plain() + "/admin/" + page);
        check(dark, axe, page + "-dark");
      }
    }
  }

  private void open(BrowserWindow phone, String axe, String page) throws IOException {
    phone.open(server.plain() + "/admin/" + page);
    check(phone, axe, page);
  }

  /// Checks that a page has no serious obstacle and is no wider than the window.
  static void check(BrowserWindow window, String axe, String page) throws IOException {
    picture(window, "page-" + page.replaceAll("[^a-z-]+", "_"));
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
    assertThat((Double) window.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
        .as(page)
        .isLessThanOrEqualTo(0);
  }
}
