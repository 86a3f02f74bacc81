package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.issuer.TestIssuer;
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

/// A browser signs in to the console by the pages of an issuer, which is another site.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class SsoIT {
  private static final Path PICTURES = Path.of("target", "browser");

  private final TestIssuer issuer = new TestIssuer();
  private ProductServer server;
  private Chromium browser;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    browser = Chromium.start(Files.createDirectory(folder.resolve("profile")));
    server =
        ProductServer.start(
            Files.createDirectory(folder.resolve("server")),
            "",
            """
            [admin.sso]
            issuer = "%s"
            client-id = "console"
            label = "Example ID"
            [admin.sso.role."the chiefs"]
            role = "server-admin"
            """
                .formatted(issuer.issuer()));
  }

  @AfterEach
  void nothingWasForbidden() {
    List<String> complaints = List.copyOf(browser.complaints());
    browser.complaints().clear();
    assertThat(complaints).as("what pages were not allowed to do").isEmpty();
  }

  @AfterAll
  void stop() {
    issuer.close();
    if (browser != null) {
      browser.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static void picture(BrowserWindow window, String name) throws IOException {
    Files.createDirectories(PICTURES);
    window.keepPicture(PICTURES.resolve("sso-" + name + ".png"));
  }

  @Test
  void anAdministratorSignsInWithoutAnAccount() throws Exception {
    issuer.person.put("groups", List.of("the chiefs"));
    BrowserWindow window = browser.window();
    window.open("http://localhost:" + server.port() + "/admin/sign-in");
    picture(window, "sign-in");
    window.click("main a.button", "Sign in with Example ID");
    window.waitForText("sso:alice");
    assertThat(window.evaluate("location.pathname")).isEqualTo("/admin/");
    picture(window, "signed-in");
    window.click(".who button");
    window.waitForText("You have signed out.");
  }

  @Test
  void whoHasNoRoleIsToldSo() throws Exception {
    issuer.person.put("groups", List.of("others"));
    BrowserWindow window = browser.window();
    window.open("http://localhost:" + server.port() + "/admin/sign-in");
    window.click("main a.button", "Sign in with Example ID");
    window.waitForText("have no role here");
    picture(window, "refused");
  }
}
