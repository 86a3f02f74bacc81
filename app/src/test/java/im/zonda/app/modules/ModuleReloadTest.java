package im.zonda.app.modules;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Iq;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Settings with which a module cannot be installed, at a reload.
@Timeout(60)
class ModuleReloadTest {
  private static final QName QUERY = new QName("test:choosy", "query");
  private static final String UNUSABLE = "mailto:unusable@example.org";

  /// Answers with the contact addresses of its settings, and does not like one of them.
  private static final class ChoosyModule implements XmppModule {
    @Override
    public String name() {
      return "choosy";
    }

    @Override
    public boolean reload(ServerConfig before, ServerConfig after) {
      return before.contact().equals(after.contact());
    }

    @Override
    public void install(ModuleContext context) {
      String contact = String.join(" ", context.config().contact());
      if (contact.contains(UNUSABLE)) {
        throw new IllegalStateException("unusable");
      }
      context.onIq(
          Iq.Type.GET,
          QUERY,
          Addressee.SERVER,
          request -> IqReply.result(Element.builder(QUERY).text(contact).build()));
    }
  }

  private static List<XmppModule> modules() {
    List<XmppModule> modules = new ArrayList<>(StandardModules.create());
    modules.addFirst(new ChoosyModule());
    return modules;
  }

  private static XmlElement ask(ScriptedClient client, String id, String to) {
    client.send("<iq type='get' id='" + id + "' to='" + to + "'><query xmlns='test:choosy'/></iq>");
    return client.receiveFirst(each -> id.equals(each.attribute("id")));
  }

  private static List<String> reload(TestServer server, List<String> hosts, String contact) {
    return server.reload(config ->
        RecordCopy.with(RecordCopy.with(config, "hosts", hosts), "contact", List.of(contact)));
  }

  @Test
  void allOfThemAreInForceOrNone() throws IOException {
    List<String> two = List.of("a.example", "b.example");
    List<String> other = List.of("b.example", "c.example");
    try (TestServer server =
            ServerPlan.of(ModuleReloadTest::modules)
                .withHosts("a.example", "b.example")
                .startOnSockets();
        ScriptedClient romeo = server.connect("romeo@a.example/orchard")) {
      assertThat(reload(server, two, "mailto:first@example.org")).isEmpty();

      assertThat(reload(server, other, UNUSABLE))
          .contains("the module choosy of b.example could not be installed");

      assertThat(ask(romeo, "q1", "a.example").toString()).contains("first@example.org");
      assertThat(ask(romeo, "q2", "b.example").toString()).contains("first@example.org");
      assertThat(ask(romeo, "q3", "c.example").condition()).isEqualTo("remote-server-not-found");
      assertThat(server.server().hosts())
          .extracting(host -> host.domain().toString())
          .containsExactlyElementsOf(two);
      assertThat(reload(server, two, "mailto:second@example.org")).isEmpty();
      assertThat(ask(romeo, "q4", "a.example").toString()).contains("second@example.org");
    }
  }
}
