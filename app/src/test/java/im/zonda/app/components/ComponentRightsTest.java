package im.zonda.app.components;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.component.ComponentDelegation;
import im.zonda.config.component.ComponentPrivilege;
import im.zonda.config.component.Components;
import im.zonda.config.copy.RecordCopy;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Rights of components that a reload of the configuration changes, and several connections.
class ComponentRightsTest {
  private static final String GATEWAY = "gateway.example.org";
  private static final String SECRET = "component secret";
  private final TestServer server =
      ComponentServers.start(
          new Components(List.of(), Duration.ofSeconds(30), 100_000, 2, Map.of(GATEWAY, SECRET)));

  @AfterEach
  void stop() {
    server.close();
  }

  private void grant(ComponentPrivilege.Access roster) {
    ComponentPrivilege privilege =
        new ComponentPrivilege(
            List.of(),
            roster,
            true,
            ComponentPrivilege.Messages.NONE,
            ComponentPrivilege.PresenceOf.MANAGED_ENTITY,
            List.of(),
            List.of());
    assertThat(
            server.reload(config ->
                RecordCopy.with(config, "component.privilege", Map.of(GATEWAY, privilege))))
        .isEmpty();
  }

  private static String rosterPermission(ScriptedClient component) {
    XmlElement message = component.receiveFirst(each -> each.localName().equals("message"));
    XmlElement privilege =
        Objects.requireNonNull(message.child("urn:xmpp:privilege:2", "privilege"));
    return String.valueOf(
        privilege.children().stream()
            .filter(each -> "roster".equals(each.attribute("access")))
            .map(each -> String.valueOf(each.attribute("type")))
            .findFirst()
            .orElse("nothing"));
  }

  private static String roster(ScriptedClient component) {
    component.send(
        "<iq type='get' id='r' from='gateway.example.org' to='romeo@example.org'>"
            + "<query xmlns='jabber:iq:roster'/></iq>");
    return String.valueOf(
        component.receiveFirst(each -> "r".equals(each.attribute("id"))).attribute("type"));
  }

  @Test
  void everyConnectionLearnsOfChangedRights() {
    ScriptedClient romeo = server.connect("romeo@example.org/orchard");
    romeo.send("<presence><status>here</status></presence>");
    romeo.receive();
    ScriptedClient one = server.component(GATEWAY, SECRET);
    assertThat(roster(one)).isEqualTo("error");
    grant(ComponentPrivilege.Access.GET);
    assertThat(rosterPermission(one)).isEqualTo("get");
    assertThat(roster(one)).isEqualTo("result");
    grant(ComponentPrivilege.Access.NONE);
    assertThat(rosterPermission(one)).isEqualTo("none");
    assertThat(roster(one)).isEqualTo("error");
    ScriptedClient two = server.component(GATEWAY, SECRET);
    assertThat(rosterPermission(two)).isEqualTo("nothing");
    grant(ComponentPrivilege.Access.BOTH);
    assertThat(rosterPermission(one)).isEqualTo("both");
    assertThat(rosterPermission(two)).isEqualTo("both");
    romeo.close();
  }

  @Test
  void changedDelegationsAreAnnouncedAndAdvertised() {
    ScriptedClient gateway = server.component(GATEWAY, SECRET);
    ScriptedClient romeo = server.connect("romeo@example.org/orchard");
    assertThat(hostFeatures(romeo)).doesNotContain("urn:xmpp:delegation:2");
    ComponentDelegation delegation = new ComponentDelegation(List.of(), List.of("x:y"));
    assertThat(
            server.reload(config ->
                RecordCopy.with(config, "component.delegation", Map.of(GATEWAY, delegation))))
        .isEmpty();
    XmlElement message = gateway.receiveFirst(each -> each.localName().equals("message"));
    assertThat(message.children().getFirst().children().getFirst().attribute("namespace"))
        .isEqualTo("x:y");
    assertThat(hostFeatures(romeo)).contains("urn:xmpp:delegation:2");
    romeo.send("<iq type='get' id='d'><q xmlns='x:y'/></iq>");
    XmlElement forwarded = gateway.receiveFirst(each -> "set".equals(each.attribute("type")));
    assertThat(forwarded.attribute("from")).isEqualTo("example.org");
    gateway.send(
        "<iq type='error' id='"
            + forwarded.attribute("id")
            + "' from='gateway.example.org' to='example.org'/>");
    assertThat(romeo.receive().condition()).isEqualTo("service-unavailable");
    romeo.close();
  }

  private static List<String> hostFeatures(ScriptedClient client) {
    client.send(
        "<iq type='get' id='info' to='example.org'>"
            + "<query xmlns='http://jabber.org/protocol/disco#info'/></iq>");
    return client.receive().children().getFirst().children().stream()
        .map(each -> String.valueOf(each.attribute("var")))
        .toList();
  }
}
