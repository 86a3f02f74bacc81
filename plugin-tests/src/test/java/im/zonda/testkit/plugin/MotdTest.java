package im.zonda.testkit.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.plugins.motd.Motd;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The plugin motd in a server.
class MotdTest {
  /// Events come to a plugin one after another: that Bob is greeted says that Alice's second login
  /// was handled.
  @Test
  void anAccountIsGreetedOnceADay() throws IOException {
    try (PluginServer server = PluginServer.start(Motd.class)) {
      ScriptedClient desk = server.connect("alice@example.org/desk");
      XmlElement greeting = message(desk);
      assertThat(greeting.attribute("from")).isEqualTo("example.org");
      assertThat(greeting.childText("body")).isEqualTo("Welcome!");

      ScriptedClient phone = server.connect("alice@example.org/phone");
      ScriptedClient other = server.connect("bob@example.org/desk");
      assertThat(message(other).childText("body")).isEqualTo("Welcome!");
      phone.fence("all-has-come");
      while (phone.unread() > 0) {
        assertThat(phone.receive().localName()).isEqualTo("presence");
      }
      assertThat(Objects.requireNonNull(server.status()).last()).isNull();
    }
  }

  private static XmlElement message(ScriptedClient client) {
    return client.receiveFirst(each -> each.localName().equals("message"));
  }
}
