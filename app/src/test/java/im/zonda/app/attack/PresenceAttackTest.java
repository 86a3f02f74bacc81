package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What sessions may have the server keep of their presence.
@Timeout(60)
@Tag("small-heap")
class PresenceAttackTest {
  private static final String LARGE =
      "<presence><status>" + "x".repeat(100_000) + "</status></presence>";

  private static Target target() throws IOException {
    return new Target(Target.plan().with("limits.presenceBytes", 1_000_000L));
  }

  /// The server's answer to a presence: the presence itself, or an error.
  private static XmlElement says(ScriptedClient client, String presence) {
    client.skipUnread();
    client.send(presence);
    return client.receiveFirst(e -> {
      String from = e.attribute("from");
      return e.localName().equals("presence")
          && ("error".equals(e.attribute("type")) || client.jid().equals(from));
    });
  }

  private static void isRefused(XmlElement answer) {
    assertThat(answer.attribute("type")).isEqualTo("error");
    XmlElement error = answer.child("error");
    assertThat(error).isNotNull();
    assertThat(error.condition()).isEqualTo("resource-constraint");
  }

  @Test
  void anAccountKeepsAQuarterOfWhatIsFree() throws IOException {
    try (Target target = target();
        ScriptedClient one = target.named("hog@example.org/1");
        ScriptedClient two = target.named("hog@example.org/2");
        ScriptedClient three = target.named("hog@example.org/3");
        ScriptedClient other = target.named("other@example.org/r")) {
      assertThat(says(one, LARGE).attribute("type")).isNull();
      assertThat(says(two, LARGE).attribute("type")).isNull();
      isRefused(says(three, LARGE));
      assertThat(says(other, LARGE).attribute("type")).isNull();
      // What is taken back is free again, also when a session breaks.
      assertThat(says(one, "<presence/>").attribute("type")).isNull();
      assertThat(says(three, LARGE).attribute("type")).isNull();
    }
  }

  @Test
  void whatASessionKeptIsFreeWhenItHasEnded() throws IOException {
    try (Target target = target()) {
      for (int i = 0; i < 20; i++) {
        ScriptedClient client = target.named("hog@example.org/" + i);
        assertThat(says(client, LARGE).attribute("type")).isNull();
        client.disconnect();
      }
    }
  }

  @Test
  void presenceOfOrdinarySizeIsAlwaysTaken() throws IOException {
    String ordinary = "<presence><status>" + "x".repeat(3_000) + "</status></presence>";
    try (Target target = new Target(Target.plan().with("limits.presenceBytes", 1L));
        ScriptedClient client = target.someone()) {
      assertThat(says(client, ordinary).attribute("type")).isNull();
      isRefused(says(client, LARGE));
    }
  }

  @Test
  void longAddressesOfDirectedPresenceCount() throws IOException {
    String part = "x".repeat(1_000);
    try (Target target = target();
        ScriptedClient client = target.someone()) {
      client.send("<presence/>");
      int sent = 0;
      boolean refused = false;
      while (!refused && sent < 900) {
        client.send("<presence to='n" + sent++ + "@example.org/" + part + "'/>");
        client.fence("f" + sent);
        while (client.unread() > 0) {
          refused |= "error".equals(client.receive().attribute("type"));
        }
      }
      assertThat(sent).isBetween(200, 300);
    }
  }
}
