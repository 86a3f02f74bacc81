package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Second factors of administrators in Chromium, with an authenticator that it pretends to have.
/// Pictures of the windows are in `target/browser`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class SecondFactorIT {
  private static final Path PICTURES = Path.of("target", "browser");
  private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

  private ProductInBrowser product;
  private ProductServer server;
  private Chromium browser;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    product =
        ProductInBrowser.start(
            folder,
            List.of("alice", "bob", "carol"),
            """
            services.administration.admins = ["alice@localhost", "bob@localhost", "carol@localhost"]
            admin.second-factor = "required"
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
    window.keepPicture(PICTURES.resolve("factor-" + name + ".png"));
  }

  private String site() {
    return "http://localhost:" + server.port();
  }

  private void password(BrowserWindow window, String name) {
    window.open(site() + "/admin/sign-in");
    window.write("#name", name);
    window.write("#password", ProductInBrowser.PASSWORD);
    window.click("main form button");
  }

  private static void signOut(BrowserWindow window) {
    window.click(".who button");
    window.waitForText("You have signed out.");
  }

  /// The code that an app for them shows, by its own arithmetic.
  ///
  /// @param steps the number of steps from now
  private static String code(String secret, int steps) throws Exception {
    ByteBuffer key = ByteBuffer.allocate(64);
    long bits = 0;
    int count = 0;
    for (char each : secret.replace(" ", "").toCharArray()) {
      bits = (bits << 5) | ALPHABET.indexOf(each);
      count += 5;
      if (count >= 8) {
        count -= 8;
        key.put((byte) (bits >> count));
      }
    }
    Mac mac = Mac.getInstance("HmacSHA1");
    mac.init(new SecretKeySpec(key.array(), 0, key.position(), "HmacSHA1"));
    long step = System.currentTimeMillis() / 30_000 + steps;
    byte[] hash = mac.doFinal(ByteBuffer.allocate(8).putLong(step).array());
    int number = ByteBuffer.wrap(hash).getInt(hash[19] & 15) & Integer.MAX_VALUE;
    return String.valueOf(1_000_000 + number % 1_000_000).substring(1);
  }

  /// Signs in, must set up codes, signs in with the next one, and is let in by the owner's command
  /// once everything is lost.
  @Test
  void oneTimeCodes() throws Exception {
    BrowserWindow alice = browser.window();
    password(alice, "alice@localhost");
    alice.waitForText("asks administrators for a second factor");
    alice.open(site() + "/admin/people");
    alice.waitForText("asks administrators for a second factor");
    picture(alice, "required");
    alice.click("button", "Set up one-time codes");
    alice.waitForText("Scan the code with your app");
    picture(alice, "enrolment");
    String secret =
        String.valueOf(alice.evaluate("document.querySelector('.secret code').textContent"));
    assertThat(alice.evaluate("document.querySelector('a[href^=otpauth]').href"))
        .asString()
        .contains("alice%40localhost", secret.replace(" ", ""));
    String first = code(secret, 0);
    alice.write("#code", first);
    alice.click("main form button", "Begin");
    alice.waitForText("a password alone does not sign in");
    String recovery =
        String.valueOf(alice.evaluate("document.querySelector('.codes code').textContent"));
    picture(alice, "recovery");
    alice.open(site() + "/admin/people");
    alice.waitForText("bob@localhost");
    signOut(alice);

    password(alice, "alice@localhost");
    alice.waitForText("Second step");
    picture(alice, "second");
    alice.write("#code", first);
    alice.click("main form button");
    alice.waitForText("was used already");
    picture(alice, "wrong");
    alice.write("#code", code(secret, 1));
    alice.click("main form button");
    alice.waitForText("You administer localhost.");
    server.kill();
    server.restart();
    alice.open(site() + "/admin/people"); // a session survives a restart
    alice.waitForText("bob@localhost");
    signOut(alice);

    password(alice, "alice@localhost");
    alice.write("#code", recovery);
    alice.click("main form button");
    alice.waitForText("You administer localhost.");
    signOut(alice);
    String before = server.run("admin", "factors", "alice@localhost");
    assertThat(before).contains("9");
    server.run("admin", "reset-factor", "alice@localhost", "--yes");
    password(alice, "alice@localhost");
    alice.waitForText("asks administrators for a second factor");
  }

  @Test
  void passkeys() throws Exception {
    BrowserWindow bob = browser.window().withAuthenticator();
    password(bob, "bob@localhost");
    bob.waitForText("asks administrators for a second factor");
    bob.write("#label", "laptop <b>");
    bob.click("main form button", "Add a passkey");
    bob.waitForText("a password alone does not sign in");
    bob.waitForText("laptop <b>");
    picture(bob, "passkey");
    String recovery =
        String.valueOf(bob.evaluate("document.querySelector('.codes code').textContent"));
    signOut(bob);

    bob.open(site() + "/admin/sign-in");
    picture(bob, "sign-in");
    bob.click("button", "Sign in with a passkey");
    bob.waitForText("You administer localhost.");
    bob.open(site() + "/admin/security");
    bob.waitForText("now");
    signOut(bob);

    password(bob, "bob@localhost"); // the password alone is not enough
    bob.waitForText("Use your passkey");
    picture(bob, "second-passkey");
    bob.click("button", "Sign in with a passkey");
    bob.waitForText("You administer localhost.");

    bob.open(site() + "/admin/security");
    bob.click("summary", "Remove a passkey");
    bob.write("#code-remove", recovery);
    bob.click("button", "Remove a passkey");
    bob.waitForText("asks administrators for a second factor");
    signOut(bob);
    bob.click("button", "Sign in with a passkey");
    bob.waitForText("This passkey is not known here");
  }

  /// An authenticator that knows no owner gives nothing; nor do pages that have no name.
  @Test
  void passkeysNeedTheirOwnerAndAName() {
    BrowserWindow thief = browser.window().withAuthenticator(false);
    thief.open(site() + "/admin/sign-in");
    thief.click("button", "Sign in with a passkey");
    thief.waitForText("The browser gave no passkey.");
    thief.open(server.plain() + "/admin/sign-in");
    assertThat(thief.text()).doesNotContain("passkey");
  }

  /// No serious obstacle on any step, and nothing wider than a phone; also in the dark.
  @Test
  void stepsAreAccessibleAndFitAPhone() throws Exception {
    assumeTrue(Files.isRegularFile(ConsoleIT.AXE), "skipped: npm has not brought axe-core");
    String axe = Files.readString(ConsoleIT.AXE);
    BrowserWindow phone = browser.window().asPhone().withAuthenticator();
    BrowserWindow dark = browser.window().inTheDark();
    password(phone, "carol@localhost");
    phone.waitForText("asks administrators for a second factor");
    ConsoleIT.check(phone, axe, "factor-required");
    phone.click("button", "Set up one-time codes");
    phone.waitForText("Scan the code with your app");
    ConsoleIT.check(phone, axe, "factor-enrolment");
    String secret =
        String.valueOf(phone.evaluate("document.querySelector('.secret code').textContent"));
    phone.write("#code", code(secret, 0));
    phone.click("main form button", "Begin");
    phone.waitForText("Write these down");
    ConsoleIT.check(phone, axe, "factor-codes");
    phone.write("#label", "laptop");
    phone.write("#code-passkey", code(secret, 1));
    phone.click("main form button", "Add a passkey");
    phone.waitForText("laptop");
    ConsoleIT.check(phone, axe, "factor-both");
    password(dark, "carol@localhost");
    dark.waitForText("Second step");
    ConsoleIT.check(dark, axe, "factor-second-dark");
    dark.write("#code", "1");
    dark.click("main form button");
    dark.waitForText("This code is wrong");
    ConsoleIT.check(dark, axe, "factor-wrong-dark");
    signOut(phone);
    phone.open(site() + "/admin/sign-in");
    ConsoleIT.check(phone, axe, "factor-sign-in");
    phone.click("button", "Sign in with a passkey");
    phone.waitForText("You administer localhost.");
  }
}
