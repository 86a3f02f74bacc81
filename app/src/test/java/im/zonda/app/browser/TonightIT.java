package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The steps of `docs/tonight.md`: an owner invites a friend in the chat, they talk, they make a
/// room, everybody logs out, and the next day both are there again. Each has a browser of their
/// own.
@Timeout(180)
class TonightIT {
  private static final String PASSWORD = "the rose garden";
  private static final String COMPOSER = "textarea.chat-textarea";
  private static final Path PICTURES = Path.of("target", "browser");

  @Test
  void friendsTalkTonightAndTheRoomIsThereTomorrow(@TempDir Path folder, TestReporter report)
      throws Exception {
    assumeTrue(ProductServer.hasChat(), "skipped: the product was built without npm");
    try (Chromium home = Chromium.start(Files.createDirectory(folder.resolve("home")));
        Chromium away = Chromium.start(Files.createDirectory(folder.resolve("away")));
        ProductServer server =
            ProductServer.start(
                Files.createDirectory(folder.resolve("server")),
                "alice@localhost," + PASSWORD + "\n")) {
      long begun = System.nanoTime();
      BrowserWindow alice = home.window();
      alice.open(server.plain() + "/");
      alice.click("a.button", "Sign in");
      logIn(alice, "alice");
      alice.click(".zonda-actions button", "Invite");
      String link =
          String.valueOf(alice.waitFor("document.querySelector('.modal input[readonly]')?.value"));
      alice.keepPicture(PICTURES.resolve("tonight-invitation.png"));
      alice.click(".modal-footer button", "Close");

      BrowserWindow friend = away.window().asPhone();
      friend.open(server.plain() + link.substring(link.indexOf("/invite/")));
      friend.waitForText("alice invites you to chat");
      friend.write("#name", "bob");
      friend.write("#password", PASSWORD);
      friend.click("#join button:not([type])");
      say(friend, "Here I am");
      openChat(alice, "bob");
      alice.waitForText("Here I am");
      say(alice, "Welcome");
      friend.waitForText("Welcome");
      friend.keepPicture(PICTURES.resolve("tonight-friend.png"));
      report.publishEntry(
          "seconds to the first answer",
          Long.toString(Duration.ofNanos(System.nanoTime() - begun).toSeconds()));

      openRoom(alice);
      say(alice, "We meet here");
      openRoom(friend);
      friend.waitForText("We meet here");
      logOut(alice);
      logOut(friend);
      server.kill();
      server.restart();

      BrowserWindow tomorrow = away.window();
      tomorrow.open(server.plain() + "/chat/");
      logIn(tomorrow, "bob");
      openRoom(tomorrow);
      tomorrow.waitForText("We meet here");
      tomorrow.keepPicture(PICTURES.resolve("tonight-tomorrow.png"));
      assertThat(tomorrow.text()).contains("alice");
    }
  }

  private static void logIn(BrowserWindow window, String name) {
    window.write("input[name=jid]", name);
    window.write("input[name=password]", PASSWORD);
    window.click("form button[type=submit]");
    window.waitFor("document.querySelector('.zonda-user-name')?.textContent === '" + name + "'");
  }

  private static void say(BrowserWindow window, String text) {
    window.write(COMPOSER, text);
    window.enter();
    window.waitForText(text);
  }

  private static void openChat(BrowserWindow window, String with) {
    window.evaluate("location.hash = ''"); // or nothing changes if it is that already
    window.evaluate("location.hash = 'converse/chat?jid=" + with + "@localhost'");
    window.waitFor(
        "[...document.querySelectorAll('.chatbox .chat-head')].some(head =>"
            + " head.offsetParent && head.textContent.includes('"
            + with
            + "'))");
  }

  private static void openRoom(BrowserWindow window) {
    window.evaluate("location.hash = ''");
    window.evaluate("location.hash = 'room=friends@rooms.localhost'");
    window.waitForText("friends");
  }

  private static void logOut(BrowserWindow window) {
    window.evaluate("document.querySelector('.zonda-user').click()");
    window.evaluate(
        "[...document.querySelectorAll('#zonda-menu > *')]"
            + ".find(each => each.textContent.includes('Log out')).click()");
    window.waitFor("document.querySelector('input[name=password]')?.offsetParent");
  }
}
