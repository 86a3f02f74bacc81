package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.xml.XmlElement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A message to several addresses (XEP-0033), whose homes are at different nodes.
@Timeout(60)
class AddressedCopiesTest {
  private static final String SM = "urn:xmpp:sm:3";
  private static final String ROMEO = "romeo@example.org";

  private static boolean isText(XmlElement stanza) {
    return stanza.child("body") != null;
  }

  private static String homedAt(TestCluster cluster, Member member, String name) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> name + i + "@example.org")
        .filter(each -> cluster.homeOf(each).equals(member))
        .findFirst()
        .orElseThrow();
  }

  /// The node of one of the copies is cut off and dies: the copy is stored at the next one before
  /// the message is acknowledged, and the other addresses get theirs once.
  @Test
  void itIsAcknowledgedWhenAllCopiesAreStored() throws Exception {
    try (TestCluster cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3)) {
      Member home = cluster.homeOf(ROMEO);
      List<Member> members = cluster.members();
      Member second = members.get((members.indexOf(home) + 1) % members.size());
      Member third = members.get((members.indexOf(home) + 2) % members.size());
      String juliet = homedAt(cluster, second, "juliet");
      String nurse = homedAt(cluster, third, "nurse");
      cluster.accounts(List.of(ROMEO, juliet, nurse));
      try (ScriptedClient romeo = cluster.server(home).connect(ROMEO + "/orchard");
          ScriptedClient listener = cluster.server(second).connect(juliet + "/balcony")) {
        listener.send("<presence/>");
        romeo.send("<enable xmlns='" + SM + "' resume='true'/>");
        romeo.receiveFirst(each -> each.is(SM, "enabled"));
        romeo.send("<presence/>");
        romeo.receiveFirst(each -> each.localName().equals("presence"));
        romeo.awaitHandled(1);
        cluster.mute(home, third);
        romeo.send(
            ("<message to='example.org' type='chat' id='m1'>"
                    + "<addresses xmlns='http://jabber.org/protocol/address'>"
                    + "<address type='to' jid='%s'/><address type='to' jid='%s'/></addresses>"
                    + "<body>1</body></message>")
                .formatted(juliet, nurse));
        romeo.fence("behind", ROMEO);
        assertThat(listener.receiveFirst(AddressedCopiesTest::isText).attribute("id"))
            .isEqualTo("m1");
        assertThat(romeo.handled()).isEqualTo(1);
        cluster.kill(third);
        romeo.awaitHandled(3);
        try (ScriptedClient late = cluster.server(second).connect(nurse + "/home")) {
          late.send("<presence/>");
          assertThat(late.receiveFirst(AddressedCopiesTest::isText).attribute("to"))
              .isEqualTo(nurse);
        }
        romeo.send(
            "<message to='%s' type='chat' id='m2'><body>2</body></message>".formatted(juliet));
        assertThat(listener.receiveFirst(AddressedCopiesTest::isText).attribute("id"))
            .isEqualTo("m2");
      }
    }
  }
}
