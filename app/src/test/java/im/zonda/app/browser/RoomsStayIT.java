package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A room that someone makes in the chat is there the next day: with its owner and its archive, and
/// not public. Pictures of the windows are in `target/browser`.
@Timeout(120)
class RoomsStayIT {
  private static final String PASSWORD = "the rose garden";
  private static final String ROOM = "team-blue@rooms.localhost";
  private static final String COMPOSER = "textarea.chat-textarea";
  private static final String OWNER = "http://jabber.org/protocol/muc#owner";
  private static final Path PICTURES = Path.of("target", "browser");

  @Test
  void aRoomMadeInTheChatIsThereAfterEverybodyHasLeftAndTheServerWasStopped(@TempDir Path folder)
      throws Exception {
    assumeTrue(ProductServer.hasChat(), "skipped: the product was built without npm");
    String accounts = "alice@localhost," + PASSWORD + "\nbob@localhost," + PASSWORD + "\n";
    try (Chromium browser = Chromium.start(Files.createDirectory(folder.resolve("profile")));
        ProductServer server =
            ProductServer.start(Files.createDirectory(folder.resolve("server")), accounts)) {
      BrowserWindow alice = browser.window();
      logIn(alice, server, "alice");
      makeRoom(alice);
      alice.write(COMPOSER, "We meet at ten");
      alice.enter();
      alice.waitForText("We meet at ten");
      alice.keepPicture(PICTURES.resolve("aRoomIsMade.png"));
      try (ScriptedClient client = connect(server, "alice")) {
        assertThat(information(client)).contains("'muc_persistent'", "'muc_hidden'");
        leave(alice);
        awaitEmpty(client);
        assertThat(information(client)).contains("'muc_persistent'", "Team Blue");
      }
      server.kill();
      server.restart();

      try (ScriptedClient client = connect(server, "alice")) {
        assertThat(information(client)).contains("'muc_persistent'", "'muc_hidden'", "Team Blue");
        client.send("<iq type='get' id='o' to='" + ROOM + "'><query xmlns='" + OWNER + "'/></iq>");
        assertThat(answer(client, "o")).as("the form is for owners").contains("type='result'");
      }
      BrowserWindow bob = browser.window();
      logIn(bob, server, "bob");
      bob.evaluate("location.hash = 'room=" + ROOM + "'");
      bob.waitForText("We meet at ten");
      bob.keepPicture(PICTURES.resolve("aRoomIsThereTheNextDay.png"));
    }
  }

  private static void logIn(BrowserWindow window, ProductServer server, String name) {
    window.open(server.plain() + "/chat/");
    window.write("input[name=jid]", name);
    window.write("input[name=password]", PASSWORD);
    window.click("form button[type=submit]");
    window.waitForText("I am online");
  }

  private static void makeRoom(BrowserWindow window) {
    window.waitFor("document.querySelector('a.show-add-muc-modal') !== null");
    window.evaluate("document.querySelector('a.show-add-muc-modal').click()");
    window.write("converse-add-muc-modal input[name=chatroom]", "Team Blue");
    window.click("converse-add-muc-modal [type=submit]");
    window.waitForText("Team Blue");
    window.waitFor(
        "[...document.querySelectorAll('" + COMPOSER + "')].some(each => each.offsetParent)");
  }

  private static void leave(BrowserWindow window) {
    window.waitFor("document.querySelector('.chatroom .close-chatbox-button') !== null");
    window.evaluate("document.querySelector('.chatroom .close-chatbox-button').click()");
    window.click("converse-confirm-modal [type=submit]");
  }

  private static ScriptedClient connect(ProductServer server, String name) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.clientPort());
    ScriptedClient client = new ScriptedClient(SocketWire.connect(address));
    client.login(Login.of(name + "@localhost/test", PASSWORD).withSecurity(Login.Security.NONE));
    return client;
  }

  private static String information(ScriptedClient client) {
    client.send(
        "<iq type='get' id='i' to='"
            + ROOM
            + "'><query xmlns='http://jabber.org/protocol/disco#info'/></iq>");
    return answer(client, "i");
  }

  private static String answer(ScriptedClient client, String id) {
    return client.receiveFirst(each -> id.equals(each.attribute("id"))).toString();
  }

  private static void awaitEmpty(ScriptedClient client) {
    String said;
    do {
      said = information(client);
    } while (!said.matches("(?s).*roominfo_occupants.{0,120}<value>0</value>.*"));
  }
}
