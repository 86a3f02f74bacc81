package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A private message in a room (XEP-0045, section 7.5) to an occupant with two sessions. The room,
/// the sender and the receiver are on different nodes.
@Timeout(60)
class PrivateMessagesInClusterTest {
  private TestCluster cluster;
  private Member roomNode;
  private Member near;
  private Member far;
  private String receiver;
  private ScriptedClient sender;
  private ScriptedClient balcony;
  private ScriptedClient chamber;

  @BeforeEach
  void start() throws IOException {
    cluster =
        TestCluster.start(ServerPlan.of(StandardModules::create).withStores(SharedLog::instead), 3);
    roomNode = cluster.homeOf(RoomSteps.ROOM);
    List<Member> members = cluster.members();
    far = members.get((members.indexOf(roomNode) + 1) % members.size());
    near = members.get((members.indexOf(roomNode) + 2) % members.size());
    receiver = accountOn(far);
    sender = managed(near, accountOn(near) + "/garden");
    RoomSteps.enter(sender, "romeo");
    RoomSteps.configure(sender);
    sender.awaitHandled(2);
    balcony = managed(far, receiver + "/balcony");
    chamber = managed(far, receiver + "/chamber");
    for (ScriptedClient each : List.of(balcony, chamber)) {
      RoomSteps.enter(each, "juliet");
      each.awaitHandled(1);
    }
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private String accountOn(Member node) {
    String account =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "account" + i + "@example.org")
            .filter(each -> cluster.homeOf(each).equals(node))
            .findFirst()
            .orElseThrow();
    cluster.accounts(List.of(account));
    return account;
  }

  private ScriptedClient managed(Member node, String address) {
    ScriptedClient client = cluster.server(node).connect(address);
    client.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
    client.receiveFirst(each -> each.localName().equals("enabled"));
    return client;
  }

  private void write(String text) {
    sender.send(
        "<message type='chat' id='m%s' to='%s/juliet'><body>%s</body></message>"
            .formatted(text, RoomSteps.ROOM, text));
  }

  private List<String> archive() {
    return SharedLog.bodies(cluster.server(far), receiver);
  }

  /// Both get this next, as one message.
  private void assertBothGet(String text) {
    List<String> ids = new ArrayList<>();
    for (ScriptedClient each : List.of(balcony, chamber)) {
      XmlElement message = each.receiveFirst(stanza -> stanza.child("body") != null);
      assertThat(message.childText("body")).isEqualTo(text);
      assertThat(message.attribute("to")).isEqualTo(each.jid());
      XmlElement id = message.child("stanza-id");
      ids.add(String.valueOf(id == null ? null : id.attribute("id")));
    }
    assertThat(ids.getFirst()).isNotEqualTo("null").isEqualTo(ids.getLast());
  }

  @Test
  void reachesBothAndIsArchivedOnce() {
    write("1");
    assertBothGet("1");
    write("2");
    assertBothGet("2");
    assertThat(archive()).containsExactly("1", "2");
  }

  /// The receiver's home has it when the room's next home, which is on the same node, sends it
  /// again to the session that is left.
  @Test
  void comesOnceAlthoughTheRoomsNodeDies() {
    cluster.mute(roomNode, near);
    write("1");
    assertBothGet("1");
    assertThat(archive()).containsExactly("1");
    balcony.send("<presence type='unavailable' to='%s/juliet'/>".formatted(RoomSteps.ROOM));
    balcony.awaitHandled(2);
    cluster.kill(roomNode);
    write("2");
    sender.awaitHandled(4);
    assertThat(chamber.receiveFirst(each -> each.child("body") != null).childText("body"))
        .isEqualTo("2");
    assertThat(archive()).containsExactly("1", "2");
  }
}
