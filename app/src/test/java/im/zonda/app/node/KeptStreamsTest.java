package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.config.ServerConfig;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ManagedClient;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Streams stay while the homes of their sessions move or their nodes die.
class KeptStreamsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int ROUNDS = Integer.getInteger("cluster.moves", 4);
  private static final int USERS = 6;
  private static final int BATCH = 20;

  private TestCluster cluster;
  private final List<User> users = new ArrayList<>();

  /// Sends numbered messages to the next user.
  private final class User implements ManagedClient.Listener {
    private final String name;
    private final String next;
    private final ManagedClient client;
    private final List<Integer> received = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private int sent;
    private int bound;

    User(int number) {
      name = "user" + number;
      next = "user" + (number + 1) % USERS + "@example.org";
      client = new ManagedClient(login(name), ManagedClient.Habits.USUAL, this);
    }

    void connect(Member member) throws IOException {
      client.connect(SocketWire.connect(cluster.server(member).address(Login.Security.NONE)));
    }

    void send() {
      List<ManagedClient.Outgoing> batch = new ArrayList<>();
      for (int i = 0; i < BATCH; i++) {
        sent++;
        String id = "m" + sent;
        batch.add(
            new ManagedClient.Outgoing(
                id, "<message type='chat' id='" + id + "' to='" + next + "'><body/></message>"));
      }
      client.send(batch);
    }

    synchronized List<Integer> received() {
      return List.copyOf(received);
    }

    synchronized void await(int last) throws InterruptedException {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!received.contains(last) && System.nanoTime() < end && client.connected()) {
        TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
      }
    }

    @Override
    public synchronized void bound() {
      bound++;
    }

    @Override
    public synchronized void received(XmlElement stanza) {
      if (stanza.localName().equals("message")) {
        received.add(Integer.valueOf(Objects.requireNonNull(stanza.attribute("id")).substring(1)));
        notifyAll();
      }
    }

    @Override
    public void acknowledged(String id) {}

    @Override
    public void sentAgain(String id) {}

    @Override
    public synchronized void violated(String how) {
      violations.add(how);
    }
  }

  private static Login login(String name) {
    return Login.of(name + "@example.org/pda", TestServer.PASSWORD)
        .withSecurity(Login.Security.NONE);
  }

  @BeforeEach
  void start() throws IOException {
    cluster =
        TestCluster.start(
            ServerPlan.of(StandardModules::create)
                .withStores(SharedLog::instead)
                .with("c2s.plaintext", ServerConfig.Plaintext.LOOPBACK),
            3);
    for (int i = 0; i < USERS; i++) {
      User user = new User(i);
      cluster.accounts(List.of(user.name + "@example.org"));
      users.add(user);
    }
  }

  @AfterEach
  void stop() {
    users.forEach(user -> user.client.close());
    cluster.close();
  }

  private interface Disturbance {
    void at(int round) throws Exception;
  }

  /// Disturbs the cluster in the middle of what users send. No connection may end.
  private void talk(Disturbance disturbance) throws Exception {
    // What a stream keeps of its session is there when the first stanzas have been handled.
    users.forEach(User::send);
    for (User user : users) {
      assertThat(user.client.awaitRoom(0, PATIENCE)).as("first of " + user.name).isTrue();
    }
    for (int round = 0; round < ROUNDS; round++) {
      users.forEach(User::send);
      disturbance.at(round);
      users.forEach(User::send);
      for (User user : users) {
        assertThat(user.client.awaitRoom(0, PATIENCE)).as("acknowledged to " + user.name).isTrue();
        user.await(user.sent);
      }
    }
    for (User user : users) {
      assertThat(user.client.connected()).as(user.name + " is connected").isTrue();
      assertThat(user.bound).as(user.name + " has bound").isEqualTo(1);
      assertThat(user.violations).isEmpty();
    }
  }

  private static List<Integer> all(int count) {
    List<Integer> all = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      all.add(i);
    }
    return all;
  }

  @Test
  void allHomesMoveAndNoConnectionEnds() throws Exception {
    for (int i = 0; i < USERS; i++) {
      users.get(i).connect(cluster.members().get(i % 3));
    }
    talk(round -> {
      List<Member> rotated = new ArrayList<>(cluster.members());
      Collections.rotate(rotated, round + 1);
      cluster.install(rotated);
    });
    for (User user : users) {
      assertThat(user.received()).as(user.name).isEqualTo(all(user.sent));
    }
  }

  /// What the node had handled without having said so is sent again: receivers may get it twice.
  @Test
  void theNodeOfTheHomesDiesAndNoConnectionEnds() throws Exception {
    for (int i = 0; i < USERS; i++) {
      users.get(i).connect(cluster.members().get(i % 2));
    }
    List<Member> victims = new ArrayList<>(List.of(cluster.members().get(2)));
    cluster.install(victims);
    talk(round -> {
      cluster.kill(victims.getLast());
      victims.add(cluster.restart(victims.getLast()));
      cluster.install(List.of(victims.getLast()));
    });
    for (User user : users) {
      Set<Integer> once = new HashSet<>();
      List<Integer> first = user.received().stream().filter(once::add).toList();
      assertThat(first).as(user.name).isEqualTo(all(user.sent));
    }
  }

  @Test
  void aStreamThatCannotBeResumedEndsWhenItsHomeMoves() throws Exception {
    String romeo = "romeo@example.org";
    cluster.accounts(List.of(romeo));
    for (String enable : List.of("", "<enable xmlns='urn:xmpp:sm:3'/>")) {
      for (Member member : cluster.members()) {
        Login login = login("romeo");
        try (ScriptedClient client =
            new ScriptedClient(
                    SocketWire.connect(cluster.server(member).address(Login.Security.NONE)))
                .login(login)) {
          client.send(enable + "<presence/>");
          client.receiveFirst(stanza -> stanza.localName().equals("presence"));
          cluster.move(romeo);
          assertThat(client.awaitStreamError()).isEqualTo("system-shutdown");
        }
      }
    }
  }

  /// While an occupant's session is recovered, others talk in the room. It entered a moment ago, so
  /// the room may show itself once more.
  @Test
  void anOccupantMissesNothingWhenTheNodeOfItsHomeDies() throws Exception {
    String room = "coven@rooms.example.org";
    String enter =
        "<presence to='" + room + "/%s'><x xmlns='http://jabber.org/protocol/muc'/></presence>";
    Member home = cluster.homeOf(users.get(0).name + "@example.org");
    String elsewhere =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "witch" + i + "@example.org")
            .filter(name -> !cluster.homeOf(name).equals(home))
            .findFirst()
            .orElseThrow();
    Member other = cluster.homeOf(elsewhere);
    try (ScriptedClient witch = cluster.server(other).connect(elsewhere + "/cauldron");
        ScriptedClient listener =
            new ScriptedClient(
                    SocketWire.connect(cluster.server(other).address(Login.Security.NONE)))
                .login(login(users.get(0).name))) {
      witch.send(enter.formatted("witch"));
      witch.receiveFirst(KeptStreamsTest::isSubject);
      witch.send(
          "<iq type='set' id='c' to='"
              + room
              + "'><query xmlns='http://jabber.org/protocol/muc#owner'>"
              + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
      witch.receiveFirst(stanza -> stanza.localName().equals("iq"));
      listener.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
      listener.receiveFirst(stanza -> stanza.localName().equals("enabled"));
      listener.send(enter.formatted("listener"));
      listener.receiveFirst(KeptStreamsTest::isSubject);
      listener.awaitHandled(1);
      listener.skipUnread();
      for (int i = 1; i <= 200; i++) {
        witch.send(
            "<message type='groupchat' to='%s' id='m%d'><body/></message>".formatted(room, i));
        if (i == 100) {
          cluster.kill(home);
        }
      }
      List<String> heard = new ArrayList<>();
      while (heard.size() < 200) {
        XmlElement stanza = listener.receive();
        if (stanza.localName().equals("message") && !isSubject(stanza)) {
          heard.add(String.valueOf(stanza.attribute("id")));
        }
      }
      assertThat(heard).isEqualTo(all(200).stream().map(number -> "m" + number).toList());
    }
  }

  private static boolean isSubject(XmlElement stanza) {
    return stanza.localName().equals("message") && stanza.child("subject") != null;
  }

  /// A recovered session is complete: it can be resumed, and has its presence.
  @Test
  void aSessionThatWasMadeAgainIsKnownToOthers() throws Exception {
    User romeo = users.get(0);
    Member home = cluster.homeOf(romeo.name + "@example.org");
    List<Member> others =
        cluster.members().stream().filter(member -> !member.equals(home)).toList();
    romeo.connect(others.getFirst());
    assertThat(romeo.client.awaitRoom(0, PATIENCE)).isTrue();
    cluster.kill(home);
    try (ScriptedClient juliet = cluster.connect("juliet@example.org/balcony")) {
      juliet.send(
          "<message type='chat' id='m1' to='" + romeo.name + "@example.org'><body/></message>");
      romeo.await(1);
      assertThat(romeo.received()).containsExactly(1);
    }
    assertThat(romeo.bound).isEqualTo(1);
    romeo.client.cut();
    assertThat(
            romeo.client.connect(
                SocketWire.connect(cluster.server(others.getLast()).address(Login.Security.NONE))))
        .isEqualTo(ManagedClient.Start.RESUMED);
  }
}
