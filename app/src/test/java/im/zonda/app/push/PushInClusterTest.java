package im.zonda.app.push;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.jid.Jid;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whatever nodes the client, the sender and the service are at: the home of the account publishes,
/// and learns of the answer.
@Timeout(120)
class PushInClusterTest {
  private static final String APP = "app@example.org/server";
  private static final String ERROR =
      "<error type='cancel'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>";

  @Test
  void theHomePublishesAndLearnsOfTheAnswer() throws IOException {
    try (TestCluster cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3)) {
      cluster.accounts(List.of("app@example.org", "romeo@example.org", "juliet@example.org"));
      List<Member> members = cluster.members();
      for (int i = 0; i < members.size(); i++) {
        ScriptedClient app = cluster.server(members.get(i)).connect(APP);
        ScriptedClient romeo =
            cluster.server(members.get((i + 1) % 3)).connect("romeo@example.org/orchard");
        ScriptedClient phone =
            cluster.server(members.get((i + 2) % 3)).connect("juliet@example.org/phone");
        phone.send(
            "<iq type='set' id='e'><enable xmlns='urn:xmpp:push:0' jid='"
                + APP
                + "' node='n'/></iq>");
        phone.receiveFirst(each -> "e".equals(each.attribute("id")));
        phone.send("</stream:stream>");
        phone.awaitEnd();
        say(romeo, "m1" + i);
        XmlElement push = app.receiveFirst(each -> each.localName().equals("iq"));
        assertThat(push.attribute("from")).isEqualTo("juliet@example.org");
        app.send(
            "<iq type='error' id='%s' to='juliet@example.org'>%s</iq>"
                .formatted(push.attribute("id"), ERROR));
        app.fence("answered", "juliet@example.org");
        say(romeo, "m2" + i);
        romeo.fence("sent", "juliet@example.org");
        app.fence("nothing", "juliet@example.org");
        Member home = cluster.homeOf("juliet@example.org");
        assertThat(
                cluster.server(home).stores().keyValues("push").all(Jid.of("juliet@example.org")))
            .isEmpty();
        app.close();
        romeo.close();
        phone.close();
      }
    }
  }

  private static void say(ScriptedClient romeo, String id) {
    romeo.send(
        "<message to='juliet@example.org' type='chat' id='" + id + "'><body>hi</body></message>");
  }
}
