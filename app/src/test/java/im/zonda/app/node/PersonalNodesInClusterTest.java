package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Nodes of an account whose home moves from node to node of a cluster, while a contact and the
/// account's own client are connected to others.
@Timeout(120)
class PersonalNodesInClusterTest {
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String TUNE = "http://jabber.org/protocol/tune";
  private static final String JULIET = "juliet@example.org";
  private static final String ROMEO = "romeo@example.org";

  /// The hash of [#INFO].
  private static final String VER = "rZ7Cuv6phuJn7RlYJcmoBNJYvmA=";

  private static final String CAPS =
      "<c xmlns='http://jabber.org/protocol/caps' hash='sha-1' node='http://x' ver='" + VER + "'/>";
  private static final String INFO =
      "<query xmlns='http://jabber.org/protocol/disco#info' node='http://x#"
          + VER
          + "'><identity category='client' type='pc' name='Exodus 0.9.1'/>"
          + "<feature var='http://jabber.org/protocol/disco#info'/>"
          + "<feature var='http://jabber.org/protocol/tune+notify'/></query>";

  private TestCluster cluster;
  private ScriptedClient juliet;
  private ScriptedClient romeo;

  @BeforeEach
  void start() throws IOException {
    cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3);
    cluster.accounts(List.of(JULIET, ROMEO));
    List<Member> members = cluster.members();
    juliet = cluster.server(members.get(0)).connect(JULIET + "/balcony");
    romeo = cluster.server(members.get(1)).connect(ROMEO + "/orchard");
    // Streams that can be resumed outlive the homes of their sessions.
    for (ScriptedClient client : List.of(juliet, romeo)) {
      client.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
    }
    juliet.send("<presence/>");
    romeo.send("<presence>" + CAPS + "</presence>");
    befriend(romeo, ROMEO, juliet, JULIET);
    befriend(juliet, JULIET, romeo, ROMEO);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void befriend(ScriptedClient one, String oneJid, ScriptedClient other, String otherJid) {
    one.send("<presence type='subscribe' to='%s'/>".formatted(otherJid));
    receive(other, each -> "subscribe".equals(each.attribute("type")));
    other.send("<presence type='subscribed' to='%s'/>".formatted(oneJid));
    receive(
        one,
        each ->
            each.attribute("type") == null
                && String.valueOf(each.attribute("from")).startsWith(otherJid));
  }

  private interface Wanted {
    boolean is(XmlElement stanza);
  }

  /// The next stanza that is wanted; questions for capabilities are answered meanwhile.
  private static XmlElement receive(ScriptedClient client, Wanted wanted) {
    while (true) {
      XmlElement stanza =
          client.receiveFirst(each -> wanted.is(each) || "get".equals(each.attribute("type")));
      if (wanted.is(stanza)) {
        return stanza;
      }
      client.send(
          "<iq type='result' id='%s' to='%s'>%s</iq>"
              .formatted(stanza.attribute("id"), stanza.attribute("from"), INFO));
    }
  }

  private void publish(String node, String id, String payload) {
    juliet.send(
        ("<iq type='set' id='%1$s'><pubsub xmlns='%2$s'><publish node='%3$s'><item id='%1$s'>%4$s"
                + "</item></publish></pubsub></iq>")
            .formatted(id, PUBSUB, node, payload));
    XmlElement answer = receive(juliet, each -> id.equals(each.attribute("id")));
    assertThat(answer.attribute("type")).isEqualTo("result");
  }

  private static boolean isEvent(XmlElement stanza, String item) {
    XmlElement event = stanza.child("event");
    return event != null && item.equals(event.child("items").child("item").attribute("id"));
  }

  /// The new home knows the nodes, and asks who is there before it notifies.
  @Test
  void aContactIsNotifiedWhereverTheHomeIs() {
    for (int i = 0; i < 4; i++) {
      String item = "t" + i;
      publish(TUNE, item, "<tune xmlns='%s'><title>%d</title></tune>".formatted(TUNE, i));
      receive(romeo, each -> isEvent(each, item));
      cluster.move(JULIET);
      romeo.send(
          "<iq type='get' id='r%d' to='%s'><pubsub xmlns='%s'><items node='%s'/></pubsub></iq>"
              .formatted(i, JULIET, PUBSUB, TUNE));
      String id = "r" + i;
      XmlElement items = receive(romeo, each -> id.equals(each.attribute("id")));
      assertThat(items.child("pubsub").child("items").child("item").attribute("id"))
          .isEqualTo(item);
      if (i == 1) {
        cluster.move(ROMEO);
      }
    }
  }

  /// What is converted is at the new home, and so is what presence says of the picture.
  @Test
  void bookmarksAndThePictureMoveToo() {
    publish(
        "urn:xmpp:bookmarks:1",
        "coven@r.example",
        "<conference xmlns='urn:xmpp:bookmarks:1' name='x'/>");
    juliet.send(
        "<iq type='set' id='v'><vCard xmlns='vcard-temp'><PHOTO><TYPE>image/png</TYPE>"
            + "<BINVAL>iVBORw0KGgo=</BINVAL></PHOTO></vCard></iq>");
    XmlElement first = receive(romeo, each -> hash(each) != null);
    cluster.move(JULIET);
    juliet.send("<presence><show>away</show></presence>");
    XmlElement second = receive(romeo, each -> each.child("show") != null);
    assertThat(hash(second)).isEqualTo(hash(first)).hasSize(40);
    juliet.send(
        "<iq type='get' id='b'><query xmlns='jabber:iq:private'><storage"
            + " xmlns='storage:bookmarks'/></query></iq>");
    XmlElement list = receive(juliet, each -> "b".equals(each.attribute("id")));
    assertThat(list.child("query").child("storage").child("conference").attribute("jid"))
        .isEqualTo("coven@r.example");
  }

  private static String hash(XmlElement presence) {
    XmlElement x = presence.child("x");
    XmlElement photo = x == null ? null : x.child("photo");
    return photo == null || photo.text().isEmpty() ? null : photo.text();
  }
}
