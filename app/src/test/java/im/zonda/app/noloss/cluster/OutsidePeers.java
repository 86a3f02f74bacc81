package im.zonda.app.noloss.cluster;

import im.zonda.app.federation.RealPeer;
import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ManagedClient;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.client.StreamEvent;
import im.zonda.testkit.history.History;
import im.zonda.testkit.history.MessageLedger;
import im.zonda.testkit.history.MessageLedger.Trust;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Receivers that are no users of the cluster: an external component with a connection to each node
/// (XEP-0114), and users of a Prosody if its package is installed. They record what comes, in a
/// ledger of their own.
///
/// What may come twice there is in docs/operating-a-cluster.md, "Limits"; the caller tells the
/// ledger of every fault. Order is judged in each connection of the component, and in each session
/// of a user.
final class OutsidePeers implements AutoCloseable {
  /// The domain of the component.
  static final String COMPONENT = "robot.example.net";

  static final String SECRET = "robot secret";
  private static final String ROBOT = "robot";
  private static final List<String> USERS = List.of("juliet", "nurse");
  private static final Duration POLL = Duration.ofMillis(200);

  private final MessageLedger ledger;
  private final @Nullable RealPeer peer;
  private final Set<History.Key> seen = ConcurrentHashMap.newKeySet();
  private final CountDownLatch over = new CountDownLatch(1);

  /// @param peer the other server, which has started; null if there is none
  OutsidePeers(MessageLedger ledger, @Nullable RealPeer peer) {
    this.ledger = ledger;
    this.peer = peer;
  }

  /// Where to send, by the receiver's name in the ledger.
  Map<String, String> addresses() {
    Map<String, String> addresses = new LinkedHashMap<>();
    addresses.put(ROBOT, "x@" + COMPONENT);
    RealPeer server = peer;
    if (server != null) {
      USERS.forEach(user -> addresses.put(user, user + "@" + server.kind().domain()));
    }
    return addresses;
  }

  /// Connects all.
  ///
  /// @param ports where components connect, one of each node
  void start(List<Integer> ports) throws IOException {
    for (int port : ports) {
      Thread.ofVirtual().name(ROBOT).start(() -> beComponent(port));
    }
    RealPeer server = peer;
    if (server != null) {
      for (String user : USERS) {
        server.register(user);
        Thread.ofVirtual().name(user).start(new User(server, user));
      }
    }
  }

  private void rest() throws InterruptedException {
    over.await(POLL.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void arrived(int session, XmlElement message) {
    History.Key key = History.Key.parse(String.valueOf(message.attribute("id")));
    if (key == null) {
      ledger.violated("a message that nobody sent: " + message);
    } else {
      // Earlier messages no longer have an order.
      ledger.arrived(session, key, "", !seen.add(key));
    }
  }

  // ---- the component

  private void beComponent(int port) {
    InetSocketAddress node = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      while (over.getCount() > 0) {
        Inbox inbox = Inbox.queue();
        try (ScriptedClient stream = new ScriptedClient(SocketWire.connect(node), inbox)) {
          stream.openAsComponent(COMPONENT, SECRET);
          record(inbox);
        } catch (IOException | RuntimeException | AssertionError e) {
          // The node is away, or does not let it in now.
        }
        rest();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Records what comes on one connection, until that ends.
  private void record(Inbox inbox) throws InterruptedException {
    int session = ledger.session(ROBOT, ROBOT, false, Trust.MANAGED);
    while (over.getCount() > 0) {
      StreamEvent event = inbox.take(POLL);
      if (event instanceof StreamEvent.Received received
          && received.element().localName().equals("message")) {
        arrived(session, received.element());
      } else if (event instanceof StreamEvent.Closed || event instanceof StreamEvent.Gone) {
        return;
      }
    }
  }

  // ---- users of the other server

  /// A user of the other server, connected all the time.
  private final class User implements Runnable, ManagedClient.Listener {
    private final RealPeer server;
    private final String name;
    private final ManagedClient client;
    private int session;

    User(RealPeer server, String name) {
      this.server = server;
      this.name = name;
      Login login = Login.of(name + "@" + server.kind().domain() + "/there", NoLossPlan.PASSWORD);
      this.client =
          new ManagedClient(
              login.withSecurity(Login.Security.NONE),
              new ManagedClient.Habits(true, true, 5, "<presence/>"),
              this);
    }

    @Override
    public void run() {
      try (client) {
        while (over.getCount() > 0) {
          try {
            client.connect(SocketWire.connect(server.clientAddress()));
            while (!client.awaitLoss(POLL) && over.getCount() > 0) {
              // It listens.
            }
          } catch (IOException e) {
            ledger.violated(name + " is not let in: " + e.getMessage());
          }
          rest();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void bound() {
      session = ledger.session(name, name, false, Trust.MANAGED);
    }

    @Override
    public void received(XmlElement stanza) {
      if (stanza.localName().equals("message") && stanza.child("body") != null) {
        arrived(session, stanza);
      }
    }

    @Override
    public void acknowledged(String id) {
      // It sends nothing.
    }

    @Override
    public void sentAgain(String id) {
      // The same.
    }

    @Override
    public void violated(String how) {
      ledger.violated(name + ": " + how);
    }
  }

  @Override
  public void close() {
    over.countDown();
    RealPeer server = peer;
    if (server != null) {
      server.close();
    }
  }
}
