package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The home of a sender dies after it has handled a message and before the node of the sender's
/// stream knows: the message is sent to the sender's next home, and comes once.
@Timeout(60)
class DeadSenderHomeTest {
  private static final String SM = "urn:xmpp:sm:3";
  private static final String SENDER = "romeo@example.org";

  private TestCluster cluster;

  /// The home of the sender.
  private Member victim;

  /// Where the sender's stream is.
  private Member near;

  /// Another one.
  private Member far;

  @BeforeEach
  void start() throws IOException {
    cluster =
        TestCluster.start(ServerPlan.of(StandardModules::create).withStores(SharedLog::instead), 3);
    cluster.accounts(List.of(SENDER));
    victim = cluster.homeOf(SENDER);
    List<Member> others = new ArrayList<>(cluster.members());
    others.remove(victim);
    near = others.getFirst();
    far = others.getLast();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private String accountOn(Predicate<String> fits) {
    String account =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "receiver" + i + "@example.org")
            .filter(fits)
            .findFirst()
            .orElseThrow();
    cluster.accounts(List.of(account));
    return account;
  }

  private String accountOn(Member member) {
    return accountOn(name -> cluster.homeOf(name).equals(member));
  }

  /// A sender whose session can be recovered: its node has a snapshot of it.
  private ScriptedClient sender() {
    return sender(SENDER);
  }

  private ScriptedClient sender(String account) {
    ScriptedClient client = cluster.server(near).connect(account + "/garden");
    client.send("<enable xmlns='" + SM + "' resume='true'/>");
    client.receiveFirst(each -> each.is(SM, "enabled"));
    client.send("<presence><priority>-1</priority></presence>");
    client.awaitHandled(1);
    return client;
  }

  private static void say(ScriptedClient client, String to, String text) {
    client.send(
        "<message type='chat' id='m%s' to='%s'><body>%s</body></message>"
            .formatted(text, to, text));
  }

  private List<String> archive(String owner) {
    return SharedLog.bodies(cluster.server(near), owner);
  }

  private void awaitArchived(String owner, String text) {
    Eventually.await("it is archived", () -> archive(owner).contains(text));
  }

  /// The receiver gets all of it once, in order.
  private void assertReceives(String account, String... bodies) {
    try (ScriptedClient receiver = cluster.server(near).connect(account + "/balcony")) {
      receiver.send("<presence/>");
      List<String> received = new ArrayList<>();
      for (int i = 0; i < bodies.length; i++) {
        XmlElement message = receiver.receiveFirst(each -> each.child("body") != null);
        received.add(message.childText("body"));
      }
      assertThat(received).containsExactly(bodies);
      receiver.fence("end");
    }
  }

  /// @param deaf whom the home does not tell anything before it dies: the node of the stream alone,
  ///   or anyone if null
  /// @param stored whose archive has what it has handled
  /// @param heir where the sender's next home is
  private void dies(String receiver, @Nullable Member deaf, String stored, Member heir) {
    try (ScriptedClient client = sender()) {
      say(client, receiver, "0");
      client.awaitHandled(2);
      if (deaf == null) {
        cluster.mute(victim);
      } else {
        cluster.mute(victim, deaf);
      }
      say(client, receiver, "1");
      say(client, receiver, "2");
      awaitArchived(stored, "2");
      cluster.kill(victim, heir);
      say(client, receiver, "3");
      client.awaitHandled(5);
      assertThat(archive(receiver)).containsExactly("0", "1", "2", "3");
      assertThat(archive(SENDER)).containsExactly("0", "1", "2", "3");
    }
    assertReceives(receiver, "0", "1", "2", "3");
  }

  @Test
  void aMessageToAReceiverOnTheDeadNodeComesOnce() {
    String receiver = accountOn(victim);
    dies(receiver, near, receiver, far);
  }

  @Test
  void aMessageToAReceiverWhoseHomeStaysComesOnce() {
    String receiver = accountOn(far);
    dies(receiver, near, receiver, near);
  }

  @Test
  void aMessageToAReceiverAtTheNextHomeOfTheSenderComesOnce() {
    String receiver = accountOn(far);
    dies(receiver, near, receiver, far);
  }

  @Test
  void aMessageThatTheDeadHomeHasOnlyStoredForItsSenderComesOnce() {
    dies(accountOn(far), null, SENDER, near);
  }

  @Test
  void aMessageToTheOwnAccountComesOnce() {
    dies(SENDER, near, SENDER, far);
  }

  /// What the next home has read of the log after the first death says nothing about the second.
  @Test
  void messagesOfSendersWhoseHomesDieOneAfterTheOtherComeOnce() {
    String receiver = accountOn(near);
    String second = accountOn(far);
    try (ScriptedClient client = sender();
        ScriptedClient other = sender(second)) {
      cluster.mute(victim, near);
      say(client, receiver, "1");
      awaitArchived(SENDER, "1");
      cluster.kill(victim, near);
      say(client, receiver, "2");
      client.awaitHandled(3);
      cluster.mute(far, near);
      say(other, receiver, "3");
      awaitArchived(second, "3");
      cluster.kill(far, near);
      say(other, receiver, "4");
      other.awaitHandled(3);
      assertThat(archive(SENDER)).containsExactly("1", "2");
      assertThat(archive(second)).containsExactly("3", "4");
      assertThat(archive(receiver)).containsExactly("1", "2", "3", "4");
    }
    assertReceives(receiver, "1", "2", "3", "4");
  }

  /// Its standby has a copy of the session from before the message was handled.
  @Test
  void aMessageOfAClientThatResumesItsSessionComesOnce() {
    List<Member> members = cluster.members();
    Member heir = members.get((members.indexOf(victim) + 1) % members.size());
    Member keeping = heir.equals(near) ? far : near;
    String receiver = accountOn(keeping);
    ScriptedClient client = cluster.server(heir).connect(SENDER + "/garden");
    client.send("<enable xmlns='" + SM + "' resume='true'/>");
    XmlElement enabled = client.receiveFirst(each -> each.is(SM, "enabled"));
    String id = String.valueOf(enabled.attribute("id"));
    cluster.mute(keeping, victim); // which never learns that the message has been stored
    say(client, receiver, "1");
    awaitArchived(receiver, "1");
    awaitArchived(SENDER, "1");
    client.drop();
    cluster.awaitCopies(1);
    cluster.kill(victim);
    try (ScriptedClient again = resume(cluster.server(heir), id)) {
      say(again, receiver, "1");
      say(again, receiver, "2");
      again.awaitHandled(2);
      assertThat(archive(receiver)).containsExactly("1", "2");
      assertThat(archive(SENDER)).containsExactly("1", "2");
    }
    assertReceives(receiver, "1", "2");
  }

  private static ScriptedClient resume(TestServer server, String id) {
    Login login = Login.of(SENDER, TestServer.PASSWORD);
    ScriptedClient client = server.connected(login.security(), login.domain()).negotiate(login);
    client.send("<resume xmlns='" + SM + "' previd='" + id + "' h='0'/>");
    XmlElement answer = client.receive();
    assertThat(answer.localName()).as("%s", answer).isEqualTo("resumed");
    assertThat(answer.attribute("h")).isEqualTo("0");
    return client;
  }

  @Test
  void aRoomThatStaysSendsAMessageOnce() {
    String room =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "room" + i + "@rooms.example.org")
            .filter(name -> cluster.homeOf(name).equals(far))
            .findFirst()
            .orElseThrow();
    String witch = accountOn(near);
    try (ScriptedClient client = sender();
        ScriptedClient other = cluster.server(near).connect(witch + "/cauldron")) {
      enter(client, room, "hag");
      client.send(
          """
          <iq type='set' id='c' to='%s'><query xmlns='http://jabber.org/protocol/muc#owner'>\
          <x xmlns='jabber:x:data' type='submit'/></query></iq>\
          """
              .formatted(room));
      client.receiveFirst(each -> each.localName().equals("iq"));
      enter(other, room, "witch");
      client.awaitHandled(3);
      cluster.mute(victim, near);
      client.send(
          "<message type='groupchat' id='m1' to='%s'><body>1</body></message>".formatted(room));
      awaitArchived(room, "1");
      cluster.kill(victim);
      client.send(
          "<message type='groupchat' id='m2' to='%s'><body>2</body></message>".formatted(room));
      client.awaitHandled(5);
      assertThat(archive(room)).containsOnlyOnce("1");
      assertThat(archive(room)).endsWith("1", "2");
      assertThat(bodyFrom(other)).isEqualTo("1");
      assertThat(bodyFrom(other)).isEqualTo("2");
    }
  }

  private static void enter(ScriptedClient client, String room, String nick) {
    client.send(
        "<presence to='%s/%s'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
            .formatted(room, nick));
    String from = room + "/" + nick;
    client.receiveFirst(each -> from.equals(each.attribute("from")));
  }

  private static String bodyFrom(ScriptedClient client) {
    return client.receiveFirst(each -> each.child("body") != null).childText("body");
  }
}
