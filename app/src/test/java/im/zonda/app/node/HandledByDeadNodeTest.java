package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.jid.Jid;
import im.zonda.store.StanzaIds;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A node dies after it has stored a message and before another one knows: the message is sent to
/// the next home, which finds it in the log.
@Timeout(60)
class HandledByDeadNodeTest {
  private static final String JULIET = "juliet@example.org";
  private static final String ROOM = "coven@rooms.example.org";

  private static TestCluster cluster() throws IOException {
    return TestCluster.start(
        ServerPlan.of(StandardModules::create).withStores(SharedLog::instead), 3);
  }

  /// An account whose home is on another node than that of the address.
  private static String senderTo(String address, TestCluster cluster) {
    return IntStream.range(0, 100)
        .mapToObj(i -> "sender" + i + "@example.org")
        .filter(each -> !cluster.homeOf(each).equals(cluster.homeOf(address)))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> archive(TestCluster cluster, Member alive, String owner) {
    return SharedLog.bodies(cluster.server(alive), owner);
  }

  private static ScriptedClient enableManagement(ScriptedClient client) {
    client.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
    client.receiveFirst(each -> each.localName().equals("enabled"));
    return client;
  }

  private static String stanzaId(XmlElement message) {
    XmlElement id = message.child("stanza-id");
    return String.valueOf(id == null ? null : id.attribute("id"));
  }

  /// The ids that clients see.
  private static List<String> stanzaIds(TestCluster cluster, Member alive, String owner) {
    return SharedLog.archive(cluster.server(alive), owner).stream()
        .map(entry -> String.valueOf(StanzaIds.assigned(entry.message(), Jid.of(owner))))
        .toList();
  }

  @Test
  void aMessageThatADeadHomeHasStoredComesOnce() throws Exception {
    try (TestCluster cluster = cluster()) {
      String sender = senderTo(JULIET, cluster);
      cluster.accounts(List.of(sender, JULIET));
      Member victim = cluster.homeOf(JULIET);
      Member alive = cluster.homeOf(sender);
      try (ScriptedClient client =
          enableManagement(cluster.server(alive).connect(sender + "/garden"))) {
        cluster.mute(victim);
        client.send(
            "<message type='chat' id='m1' to='%s'><body>1</body></message>".formatted(JULIET));
        Eventually.await("it is archived", () -> !archive(cluster, alive, JULIET).isEmpty());
        cluster.kill(victim);
        client.send(
            "<message type='chat' id='m2' to='%s'><body>2</body></message>".formatted(JULIET));
        client.awaitHandled(2);
        assertThat(archive(cluster, alive, JULIET)).containsExactly("1", "2");
        assertThat(archive(cluster, alive, sender)).containsExactly("1", "2");
        try (ScriptedClient juliet = cluster.server(alive).connect(JULIET + "/balcony")) {
          juliet.send("<presence/>");
          assertThat(body(juliet)).isEqualTo("1");
          assertThat(body(juliet)).isEqualTo("2");
          juliet.fence("end");
        }
      }
    }
  }

  private static String body(ScriptedClient client) {
    return client.receiveFirst(each -> each.child("body") != null).childText("body");
  }

  @Test
  void aMessageThatADeadRoomHasStoredReachesTheOccupants() throws Exception {
    try (TestCluster cluster = cluster()) {
      String sender = senderTo(ROOM, cluster);
      cluster.accounts(List.of(sender));
      Member victim = cluster.homeOf(ROOM);
      Member alive = cluster.homeOf(sender);
      try (ScriptedClient client =
          enableManagement(cluster.server(alive).connect(sender + "/garden"))) {
        client.send(
            "<presence to='%s/hag'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
                .formatted(ROOM));
        client.receiveFirst(each -> each.localName().equals("presence"));
        client.send(
            """
            <iq type='set' id='c' to='%s'><query xmlns='http://jabber.org/protocol/muc#owner'>\
            <x xmlns='jabber:x:data' type='submit'/></query></iq>\
            """
                .formatted(ROOM));
        client.receiveFirst(each -> each.localName().equals("iq"));
        client.awaitHandled(2);
        cluster.mute(victim);
        client.send(
            "<message type='groupchat' id='m1' to='%s'><body>1</body></message>".formatted(ROOM));
        Eventually.await("it is archived", () -> archive(cluster, alive, ROOM).contains("1"));
        cluster.kill(victim);
        client.awaitHandled(3);
        // The dead home has sent it to no one.
        XmlElement message = client.receiveFirst(each -> "1".equals(each.childText("body")));
        assertThat(archive(cluster, alive, ROOM)).containsOnlyOnce("1");
        assertThat(stanzaIds(cluster, alive, ROOM)).contains(stanzaId(message));
        client.send(
            "<message type='groupchat' id='m2' to='%s'><body>2</body></message>".formatted(ROOM));
        assertThat(body(client)).isEqualTo("2");
      }
    }
  }
}
