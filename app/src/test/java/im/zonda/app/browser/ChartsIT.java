package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.ScriptedClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The charts of the admin console of the packaged server, in Chromium. Pictures of the windows are
/// in `target/browser`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class ChartsIT {
  private static final Path PICTURES = Path.of("target", "browser");

  /// The chart of the people who are online.
  private static final String PEOPLE = "#chart-people";

  private ProductInBrowser product;
  private ProductServer server;
  private Chromium browser;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    product = ProductInBrowser.start(folder, List.of("bob"), "");
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

  private ScriptedClient bob() throws Exception {
    ScriptedClient client = product.client("bob", "x");
    client.send("<presence/>");
    return client;
  }

  private static String one(String selector) {
    return "document.querySelector('" + PEOPLE + " " + selector + "')";
  }

  /// Who comes online is drawn without loading the page again; the arrow keys move a cursor whose
  /// values are announced.
  @Test
  void theCursorMovesByKeys() throws Exception {
    BrowserWindow owner = product.signIn(browser.window());
    owner.open(server.plain() + "/admin/load");
    owner.waitForText("People online: 0.");
    try (ScriptedClient bob = bob()) {
      owner.waitForText("People online: 1.");
      owner.waitFor(one(".line") + ".getAttribute('d').startsWith('M')");
      assertThat(owner.evaluate(one(".reading") + ".getAttribute('aria-live')"))
          .isEqualTo("polite");
      owner.evaluate(one(".plot") + ".focus()");
      owner.press("ArrowLeft");
      owner.waitFor(one(".reading") + ".textContent.includes('UTC: online')");
      assertThat(owner.evaluate(one(".cursor") + ".getAttribute('d')")).isEqualTo("M1000 0V200");
      owner.press("ArrowLeft");
      owner.waitFor(one(".cursor") + ".getAttribute('d') === 'M993 0V200'");
      owner.press("Home");
      owner.waitFor(one(".cursor") + ".getAttribute('d') === 'M0 0V200'");
      owner.press("End");
      owner.waitFor(one(".cursor") + ".getAttribute('d') === 'M1000 0V200'");
      owner.keepPicture(PICTURES.resolve("charts-cursor.png"));
      owner.press("Escape");
      owner.waitFor(one(".reading") + ".textContent === ''");
      assertThat(bob.unread()).isNotNegative();
    }
  }

  /// Without a script there are the drawings, the choice of time, and tables.
  @Test
  void chartsNeedNoScript() throws Exception {
    BrowserWindow owner = product.signIn(browser.window());
    owner.without("*.js");
    owner.open(server.plain() + "/admin/load");
    owner.waitForText("People online: ");
    assertThat(owner.evaluate(one(".plot") + ".hasAttribute('tabindex')")).isEqualTo(false);
    owner.click(".choose a", "3 hours");
    owner.waitForText("3 h ago");
    owner.waitFor(one(".line") + ".getAttribute('d').startsWith('M')");
    owner.click(PEOPLE + " .legend a");
    owner.waitForText("Back to the charts");
    assertThat(owner.evaluate("location.search")).isEqualTo("?range=3h&table=people");
    assertThat((Double) owner.evaluate("document.querySelectorAll('tbody tr').length"))
        .isPositive();
    owner.click(".links a", "Back to the charts");
    owner.waitForText("3 h ago");
    browser.complaints().removeIf(each -> each.contains("BLOCKED")); // by this test
  }

  /// Small charts beside the figures; colours for the dark.
  @Test
  void theOverviewHasSmallCharts() throws Exception {
    BrowserWindow dark = product.signIn(browser.window().inTheDark());
    dark.waitFor("document.querySelectorAll('.tile .spark .line[d^=M]').length > 4");
    String stroke = "getComputedStyle(document.querySelector('.tile .spark .line')).stroke";
    dark.waitFor(stroke + " !== 'none'"); // the style sheet comes after the document
    assertThat(dark.evaluate(stroke)).isEqualTo("rgb(86, 200, 191)");
    dark.keepPicture(PICTURES.resolve("charts-overview-dark.png"));
  }

  /// What waits, who is slow, and how the database and the caches are.
  @Test
  void queuesAndCachesHaveTheirPages() throws Exception {
    BrowserWindow owner = product.signIn(browser.window());
    owner.open(server.plain() + "/admin/queues");
    owner.waitForText("Slow receivers");
    owner.waitForText("No task waits to be handled.");
    owner.open(server.plain() + "/admin/caches");
    owner.waitForText("Hit rate");
    owner.waitForText("SQLite");
    owner.click(".links a", "Clear all");
    owner.waitForText("Forget what all caches hold");
  }
}
