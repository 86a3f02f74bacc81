package im.zonda.app.clients;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.server.TestServer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jivesoftware.smack.packet.Message;
import org.jivesoftware.smack.packet.PresenceBuilder;
import org.jivesoftware.smack.tcp.XMPPTCPConnection;
import org.jivesoftware.smackx.muc.MultiUserChat;
import org.jivesoftware.smackx.muc.MultiUserChatManager;
import org.jspecify.annotations.Nullable;
import org.jxmpp.jid.EntityBareJid;
import org.jxmpp.jid.EntityFullJid;
import org.jxmpp.jid.impl.JidCreate;
import org.jxmpp.jid.parts.Resourcepart;

/// Someone who uses rooms with the Smack library.
record SmackUser(String name, XMPPTCPConnection connection, MultiUserChatManager rooms) {
  static final String SERVICE = "rooms.example.org";

  static SmackUser login(TestServer server, String name) throws Exception {
    server.accounts(List.of(name + "@example.org"));
    XMPPTCPConnection connection =
        SmackConnections.of(
            server.address(Login.Security.STARTTLS), name, TestServer.PASSWORD, "smack");
    connection.connect().login();
    return new SmackUser(name, connection, MultiUserChatManager.getInstanceFor(connection));
  }

  EntityBareJid address() throws Exception {
    return JidCreate.entityBareFrom(name + "@example.org");
  }

  /// The nickname that it has in every room.
  Resourcepart nick() throws Exception {
    return Resourcepart.from(name);
  }

  static EntityBareJid roomAddress(String room) throws Exception {
    return JidCreate.entityBareFrom(room + "@" + SERVICE);
  }

  /// This one's address in a room.
  EntityFullJid in(String room) throws Exception {
    return JidCreate.entityFullFrom(roomAddress(room), nick());
  }

  MultiUserChat room(String room) throws Exception {
    return rooms.getMultiUserChat(roomAddress(room));
  }

  /// Presence to a room under any nickname.
  PresenceBuilder presence(String room, String nickname) throws Exception {
    return connection
        .getStanzaFactory()
        .buildPresenceStanza()
        .to(JidCreate.entityFullFrom(roomAddress(room), Resourcepart.from(nickname)));
  }

  /// Makes a room as it comes.
  MultiUserChat creates(String room) throws Exception {
    MultiUserChat chat = room(room);
    chat.create(nick()).makeInstant();
    return chat;
  }

  MultiUserChat joins(String room) throws Exception {
    MultiUserChat chat = room(room);
    chat.join(nick());
    return chat;
  }

  /// The next message in that room that says something.
  static String hears(MultiUserChat room) throws Exception {
    while (true) {
      Message message = room.nextMessage(15_000);
      assertThat(message).as("something said within 15 s").isNotNull();
      if (message.getBody() != null) {
        return message.getBody();
      }
    }
  }

  /// What happens to anyone in the room from now on, in words.
  static BlockingQueue<String> watch(MultiUserChat room) {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    room.addParticipantStatusListener(new RoomWatch(seen));
    return seen;
  }

  static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
    @Nullable T taken = queue.poll(15, TimeUnit.SECONDS);
    assertThat(taken).as("something within 15 s").isNotNull();
    return Objects.requireNonNull(taken);
  }
}
