package im.zonda.testkit.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.host.plugin.Plugins;
import im.zonda.plugins.motd.Motd;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The plugin motd in a server.
class MotdTest {
  @Test
  void anAccountIsGreetedOnceADay() throws IOException {
    try (PluginServer server = PluginServer.start(Motd.class)) {
      ScriptedClient desk = server.connect("alice@example.org/desk");
      XmlElement greeting = desk.receive();
      assertThat(greeting.attribute("from")).isEqualTo("example.org");
      assertThat(greeting.childText("body")).isEqualTo("Welcome!");

      ScriptedClient phone = server.connect("alice@example.org/phone");
      ScriptedClient other = server.connect("bob@example.org/desk");
      assertThat(other.receive().childText("body")).isEqualTo("Welcome!");
      phone.fence("all-has-come");
      assertThat(phone.unread()).isZero();
    }
  }

  /// How many logins the plugin has seen, without a failure.
  private static long logins(PluginServer server) {
    Plugins.Status status = Objects.requireNonNull(server.status());
    assertThat(status.last()).isNull();
    return status.waitingEvents() > 0 ? 0 : status.counts().calls();
  }
}
