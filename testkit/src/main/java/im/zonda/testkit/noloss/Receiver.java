package im.zonda.testkit.noloss;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ManagedClient;
import im.zonda.testkit.history.History;
import im.zonda.testkit.history.MessageLedger;
import im.zonda.testkit.history.MessageLedger.Trust;
import im.zonda.testkit.relay.TcpRelay;
import im.zonda.testkit.xml.XmlElement;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// A receiving client; its [ReceiverKind] defines its behaviour.
final class Receiver implements Runnable, ManagedClient.Listener {
  static final String STANZA_IDS = "urn:xmpp:sid:0";
  private static final String DELAY = "urn:xmpp:delay";

  private static final Duration STAY = Duration.ofMillis(500);

  private final RunState state;
  private final ReceiverKind kind;
  private final Login login;
  private final boolean onlyDevice;
  private final SplittableRandom random;
  private final ManagedClient client;
  private final Reconnector connection;
  private volatile int session = -1;
  private int untilPause = 200;

  Receiver(
      RunState state,
      ReceiverKind kind,
      Login login,
      boolean onlyDevice,
      SplittableRandom random,
      @Nullable TcpRelay relay) {
    this.state = state;
    this.kind = kind;
    this.login = login;
    this.onlyDevice = onlyDevice;
    this.random = random;
    this.client = new ManagedClient(login, kind.habits(), this);
    this.connection = new Reconnector(state, login, client, relay, kind == ReceiverKind.SLOW);
  }

  @Override
  public void run() {
    try (connection) {
      boolean mayFail = true;
      while (connection.connect(mayFail)) {
        mayFail = kind == ReceiverKind.SLOW;
        live();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void live() throws InterruptedException {
    while (!state.isOver()) {
      boolean stays = stays() || state.isCalm();
      if (client.awaitLoss(stays ? STAY : Duration.ofMillis(random.nextInt(100, 500)))) {
        return;
      }
      if (!stays && !state.isCalm()) {
        breakUp();
        return;
      }
    }
  }

  private boolean stays() {
    return switch (kind) {
      case STEADY, SLOW, AWAY -> true;
      case RESTLESS, FRESH, UNMANAGED, FROZEN, TWIN -> false;
    };
  }

  private void breakUp() {
    switch (kind) {
      case FROZEN -> connection.pull();
      case FRESH -> {
        client.cut();
        if (random.nextInt(3) > 0) {
          client.forgetSession();
        }
      }
      case UNMANAGED -> {
        if (random.nextBoolean()) {
          client.leave();
        } else {
          client.cut();
        }
      }
      case STEADY, SLOW, RESTLESS, TWIN, AWAY -> client.cut();
    }
  }

  @Override
  public void bound() {
    MessageLedger ledger = state.ledger();
    session =
        kind.habits().managed()
            ? ledger.session(login.user(), login.jid(), onlyDevice, Trust.MANAGED)
            : ledger.unmanagedSession(login.user(), login.jid(), connection.killsBefore());
  }

  @Override
  public void received(XmlElement stanza) {
    if (!stanza.localName().equals("message")) {
      return;
    }
    History.Key key = History.Key.parse(String.valueOf(stanza.attribute("id")));
    if (key == null) {
      violated("a message that nobody sent: " + stanza);
      return;
    }
    XmlElement origin = stanza.child(STANZA_IDS, "origin-id");
    if (origin == null || !key.toString().equals(origin.attribute("id"))) {
      violated("a copy without its sender's origin-id: " + stanza);
    }
    String stanzaId = stanzaId(stanza, login.user() + "@" + login.domain());
    state.ledger().arrived(session, key, stanzaId, stanza.child(DELAY, "delay") != null);
    if (kind == ReceiverKind.SLOW && --untilPause <= 0) {
      untilPause = random.nextInt(50, 400);
      pause();
    }
  }

  private void pause() {
    try {
      // Sometimes long enough that the server closes the session.
      state.pause(random.nextInt(8) == 0 ? 4_000 : random.nextInt(50, 1_000));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The stanza-id assigned by the account's server (XEP-0359); empty if there is none.
  static String stanzaId(XmlElement message, String account) {
    for (XmlElement child : message.children()) {
      if (child.is(STANZA_IDS, "stanza-id") && account.equals(child.attribute("by"))) {
        return String.valueOf(child.attribute("id"));
      }
    }
    return "";
  }

  @Override
  public void acknowledged(String id) {
    // Receivers send nothing that matters.
  }

  @Override
  public void sentAgain(String id) {
    // The same.
  }

  @Override
  public void violated(String how) {
    state.ledger().violated(login.jid() + ": " + how);
  }
}
