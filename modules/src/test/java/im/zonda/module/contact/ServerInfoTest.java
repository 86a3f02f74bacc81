package im.zonda.module.contact;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.PubSub;
import im.zonda.config.ServerConfig;
import im.zonda.module.ExternalComponents;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestComponents;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ServerInfoTest {
  @Test
  void theServerPublishesItsConnectionsEveryQuarterOfAnHour() {
    ServerConfig d = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    PubSub nodes = new PubSub("nodes", PubSub.Creation.ADMINS, List.of(), true);
    TestContext context =
        ContactModuleTest.install(
            ContactModuleTest.config(d, d.services().with(nodes), "mailto:a@example.org"));
    assertThat(context.host().features()).contains("urn:xmpp:serverinfo:0");
    // One form has both (XEP-0485, section 8.2).
    assertThat(context.host().forms()).hasSize(1);
    Element field = context.host().forms().getFirst().children().getLast();
    assertThat(field.attribute("var")).isEqualTo("serverinfo-pubsub-node");
    assertThat(field.children().getFirst().text())
        .isEqualTo("xmpp:nodes.example.org?;node=serverinfo");

    context.clock().advance(Duration.ofSeconds(11));
    context.runTasks();
    Expect.sent(
        context,
        "<iq type='set' id='id-1' from='example.org' to='nodes.example.org'><pubsub"
            + " xmlns='http://jabber.org/protocol/pubsub'><publish node='serverinfo'><item"
            + " id='current'><serverinfo xmlns='urn:xmpp:serverinfo:0'><domain name='example.org'>"
            + "<federation><remote-domain><connection type='outgoing'/><connection type='incoming'/>"
            + "</remote-domain><remote-domain><connection type='bidi'/></remote-domain></federation>"
            + "</domain></serverinfo></item></publish><publish-options><x xmlns='jabber:x:data'"
            + " type='submit'><field var='FORM_TYPE'><value>http://jabber.org/protocol/pubsub#publish-options"
            + "</value></field><field var='pubsub#access_model'><value>open</value></field><field"
            + " var='pubsub#max_items'><value>1</value></field><field var='pubsub#persist_items'><value>true"
            + "</value></field></x></publish-options></pubsub></iq>");
    context.clock().advance(Duration.ofMinutes(15));
    context.runTasks();
    assertThat(context.takeSent()).hasSize(1);
  }

  @Test
  void domainsAreNamedThatPublishTheSame() {
    ServerConfig d = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    PubSub nodes = new PubSub("nodes", PubSub.Creation.ADMINS, List.of(), true);
    TestContext context =
        ContactModuleTest.install(ContactModuleTest.config(d, d.services().with(nodes)));
    List<TestComponents.Request> requests =
        ((TestComponents) context.port(ExternalComponents.class)).requests;
    context.clock().advance(Duration.ofSeconds(11));
    context.runTasks();
    assertThat(published(context)).isEqualTo(List.of("", ""));
    assertThat(requests).hasSize(2);
    Iq first = requests.getFirst().iq();
    assertThat(first.payloadName())
        .isEqualTo(new QName("http://jabber.org/protocol/disco#info", "query"));
    answer(requests.getFirst(), "urn:xmpp:serverinfo:0");
    assertThat(context.takeSent()).isEmpty();
    answer(requests.get(1), "urn:xmpp:ping");
    assertThat(published(context)).isEqualTo(List.of(String.valueOf(first.to()), ""));

    // Later without another question, until the answers are old
    context.clock().advance(Duration.ofMinutes(15));
    context.runTasks();
    assertThat(published(context)).isEqualTo(List.of(String.valueOf(first.to()), ""));
    assertThat(requests).hasSize(2);
    for (int i = 0; i < 3; i++) {
      context.clock().advance(Duration.ofMinutes(15));
      context.runTasks();
    }
    context.takeSent();
    assertThat(requests).hasSize(4);
    answer(requests.get(2), "urn:xmpp:ping");
    answer(requests.get(3), "urn:xmpp:ping");
    assertThat(published(context)).isEqualTo(List.of("", ""));
  }

  private static void answer(TestComponents.Request request, String feature) {
    request
        .answered()
        .accept(
            Iq.result(
                request.iq(),
                TestXml.element(
                    "<query xmlns='http://jabber.org/protocol/disco#info'><feature var='"
                        + feature
                        + "'/></query>")));
  }

  /// The names in what was published last; empty for those that are not named.
  private static List<String> published(TestContext context) {
    Element element = context.takeSent().getLast().toElement();
    for (String each : List.of("pubsub", "publish", "item", "serverinfo", "domain", "federation")) {
      element =
          element.children().stream()
              .filter(child -> child.name().name().equals(each))
              .findFirst()
              .orElseThrow();
    }
    return element.children().stream()
        .map(domain -> Objects.requireNonNullElse(domain.attribute("name"), ""))
        .toList();
  }

  @Test
  void nothingIsPublishedWithoutTheService() {
    ServerConfig d = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    assertThat(
            ContactModuleTest.install(ContactModuleTest.config(d, d.services())).host().features())
        .isEmpty();
  }
}
