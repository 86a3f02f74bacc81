package im.zonda.app.clients;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jivesoftware.smack.chat2.ChatManager;
import org.jivesoftware.smack.packet.Message;
import org.jivesoftware.smack.tcp.XMPPTCPConnection;
import org.jivesoftware.smackx.blocking.BlockingCommandManager;
import org.jivesoftware.smackx.carbons.CarbonManager;
import org.jivesoftware.smackx.csi.ClientStateIndicationManager;
import org.jivesoftware.smackx.mam.MamManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.jxmpp.jid.EntityBareJid;
import org.jxmpp.jid.impl.JidCreate;

/// What a client does so that nothing is lost, done with the Smack library as it is.
@Timeout(60)
class SmackReliabilityTest {
  private final List<XMPPTCPConnection> connections = new ArrayList<>();
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    server = ServerPlan.of(StandardModules::create).startOnSockets();
    server.accounts(List.of("romeo@example.org", "juliet@example.org"));
  }

  @AfterEach
  void stop() {
    connections.forEach(XMPPTCPConnection::disconnect);
    server.close();
  }

  @Test
  void resumesAfterTheConnectionIsCut() throws Exception {
    XMPPTCPConnection romeo = login("romeo", "garden");
    XMPPTCPConnection juliet = login("juliet", "balcony");
    BlockingQueue<String> heard = bodies(juliet);
    assertThat(juliet.isSmEnabled()).isTrue();

    say(romeo, "1");
    assertThat(take(heard)).isEqualTo("1");
    juliet.instantShutdown();
    say(romeo, "2");
    say(romeo, "3");
    juliet.connect().login();

    assertThat(juliet.streamWasResumed()).isTrue();
    assertThat(take(heard)).isEqualTo("2");
    assertThat(take(heard)).isEqualTo("3");
    say(romeo, "4");
    assertThat(take(heard)).isEqualTo("4");
  }

  @Test
  void isToldWhatTheServerHasHandled() throws Exception {
    XMPPTCPConnection romeo = login("romeo", "garden");
    BlockingQueue<String> acknowledged = new LinkedBlockingQueue<>();
    romeo.addStanzaAcknowledgedListener(stanza -> acknowledged.add(stanza.getStanzaId()));
    Message message =
        romeo.getStanzaFactory().buildMessageStanza().to("juliet@example.org").setBody("1").build();
    romeo.sendStanza(message);
    romeo.requestSmAcknowledgement();
    while (!take(acknowledged).equals(message.getStanzaId())) {
      // What was sent before is acknowledged first.
    }
  }

  @Test
  void readsTheArchivePageByPage() throws Exception {
    XMPPTCPConnection romeo = login("romeo", "garden");
    XMPPTCPConnection juliet = login("juliet", "balcony");
    BlockingQueue<String> heard = bodies(juliet);
    for (int i = 0; i < 25; i++) {
      say(romeo, "m" + i);
      assertThat(take(heard)).isEqualTo("m" + i);
    }
    for (XMPPTCPConnection reader : List.of(romeo, juliet)) {
      MamManager archive = MamManager.getInstanceFor(reader);
      assertThat(archive.isSupported()).isTrue();
      MamManager.MamQuery query =
          archive.queryArchive(MamManager.MamQueryArgs.builder().setResultPageSizeTo(10).build());
      List<String> read = new ArrayList<>(texts(query.getMessages()));
      while (!query.isComplete()) {
        read.addAll(texts(query.pageNext(10)));
      }
      assertThat(read).hasSize(25).startsWith("m0", "m1").endsWith("m23", "m24");
    }
  }

  @Test
  void copiesToItsOtherDevices() throws Exception {
    XMPPTCPConnection phone = login("juliet", "phone");
    XMPPTCPConnection desk = login("juliet", "desk");
    XMPPTCPConnection romeo = login("romeo", "garden");
    BlockingQueue<String> copies = new LinkedBlockingQueue<>();
    CarbonManager carbons = CarbonManager.getInstanceFor(phone);
    carbons.enableCarbons();
    carbons.addCarbonCopyReceivedListener(
        (direction, copy, wrapping) -> copies.add(direction + " " + copy.getBody()));

    romeo
        .getStanzaFactory()
        .buildMessageStanza()
        .to(desk.getUser())
        .ofType(Message.Type.chat)
        .setBody("for the desk")
        .build();
    ChatManager.getInstanceFor(desk).chatWith(bare("romeo")).send("from the desk");
    assertThat(take(copies)).isEqualTo("sent from the desk");
  }

  @Test
  void blocks() throws Exception {
    XMPPTCPConnection juliet = login("juliet", "balcony");
    BlockingCommandManager blocking = BlockingCommandManager.getInstanceFor(juliet);
    assertThat(blocking.isSupportedByServer()).isTrue();
    blocking.blockContacts(List.of(bare("romeo")));
    assertThat(blocking.getBlockList()).containsExactly(bare("romeo"));
    // The library learns of it by the push, which may come after the answer.
    BlockingQueue<String> pushes = new LinkedBlockingQueue<>();
    blocking.addAllJidsUnblockedListener(() -> pushes.add("all"));
    blocking.unblockAll();
    take(pushes);
    assertThat(blocking.getBlockList()).isEmpty();
  }

  @Test
  void saysThatNobodyLooks() throws Exception {
    XMPPTCPConnection juliet = login("juliet", "balcony");
    assertThat(ClientStateIndicationManager.isSupported(juliet)).isTrue();
    ClientStateIndicationManager.inactive(juliet);
    ClientStateIndicationManager.active(juliet);
  }

  private static List<String> texts(List<Message> messages) {
    return messages.stream().map(Message::getBody).toList();
  }

  private static void say(XMPPTCPConnection from, String body) throws Exception {
    ChatManager.getInstanceFor(from).chatWith(bare("juliet")).send(body);
  }

  private XMPPTCPConnection login(String user, String resource) throws Exception {
    XMPPTCPConnection connection =
        SmackConnections.of(
            server.address(Login.Security.STARTTLS), user, TestServer.PASSWORD, resource);
    connection.setUseStreamManagement(true);
    connection.setUseStreamManagementResumption(true);
    connections.add(connection);
    connection.connect().login();
    return connection;
  }

  private static EntityBareJid bare(String user) throws Exception {
    return JidCreate.entityBareFrom(user + "@example.org");
  }

  private static BlockingQueue<String> bodies(XMPPTCPConnection connection) {
    BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
    ChatManager.getInstanceFor(connection)
        .addIncomingListener((from, message, chat) -> bodies.add(message.getBody()));
    return bodies;
  }

  private static String take(BlockingQueue<String> queue) throws InterruptedException {
    String taken = queue.poll(15, TimeUnit.SECONDS);
    assertThat(taken).as("something within 15 s").isNotNull();
    return taken;
  }
}
