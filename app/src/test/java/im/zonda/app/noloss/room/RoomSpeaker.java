package im.zonda.app.noloss.room;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ManagedClient;
import im.zonda.testkit.client.ManagedClient.Habits;
import im.zonda.testkit.client.ManagedClient.Outgoing;
import im.zonda.testkit.client.ManagedClient.Start;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.history.RoomLedger.Said;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Talks and listens in the room, through all lives of the server: resumes its session or enters
/// again, and says again what was not acknowledged. The first one owns the room, and also changes
/// the subject and makes members.
final class RoomSpeaker implements Runnable, ManagedClient.Listener {
  private static final String MUC = "http://jabber.org/protocol/muc";
  private static final String TOPIC = "topic-";
  private static final String GRANT = "grant-";
  private static final int BATCH = 4;
  private static final int WINDOW = 60;

  private final RoomRunState course;
  private final String name;
  private final boolean owner;
  private final boolean restless;
  private final SplittableRandom random;
  private final String entering;
  private final Login login;
  private final ManagedClient client;
  private final Set<String> refusals = ConcurrentHashMap.newKeySet();
  private int count;
  private int stay = -1;
  private long topicBefore;

  /// @param index which one; 0 owns the room, every second one breaks its connection at times, and
  ///   every third one asks for no history
  RoomSpeaker(RoomRunState course, int index, SplittableRandom random) {
    this.course = course;
    this.name = name(index);
    this.owner = index == 0;
    this.restless = index % 2 == 1;
    this.random = random;
    this.entering =
        "<presence to='"
            + RoomRunState.ROOM
            + "/"
            + name
            + "'><x xmlns='"
            + MUC
            + "'>"
            + (index % 3 == 2 ? "<history maxstanzas='0'/>" : "")
            + "</x></presence>";
    this.login = course.login(name, "r").withKeptKeys();
    this.client = new ManagedClient(login, new Habits(true, true, 0, entering), this);
  }

  static String name(int index) {
    return "witch" + index;
  }

  @Override
  public void run() {
    try (client) {
      while (connect()) {
        if (work()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean connect() throws InterruptedException {
    while (!course.isOver()) {
      try {
        Start start = client.connect(SocketWire.connect(course.lives().await()));
        (start == Start.RESUMED ? course.resumed() : course.boundAnew()).increment();
        course.note("connects", name + " " + start);
        return true;
      } catch (IOException e) {
        // The server has just gone; the next attempt tells.
        course.rest(20);
      }
    }
    return false;
  }

  /// Talks until the connection is lost or all is said.
  ///
  /// @return whether all is said
  private boolean work() throws InterruptedException {
    long cutAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextLong(200, 1_200));
    while (client.connected()) {
      if (course.isCalm()) {
        if (client.awaitRoom(0, Duration.ofMillis(200))) {
          return true;
        }
        continue;
      }
      if (client.awaitRoom(WINDOW - BATCH, Duration.ofMillis(200))) {
        client.send(batch());
      }
      if (restless && System.nanoTime() > cutAt) {
        client.cut();
      }
      course.pause(15);
    }
    return false;
  }

  private List<Outgoing> batch() {
    List<Outgoing> batch = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      String id = name + "-" + ++count;
      course.ledger().said(id);
      batch.add(groupchat(id, "<body>" + "x".repeat(100) + "</body>"));
    }
    if (owner) {
      int number = count / BATCH;
      batch.add(groupchat(TOPIC + number, "<subject>" + TOPIC + number + "</subject>"));
      if (number % 10 == 0) {
        batch.add(new Outgoing("", membership(GRANT + number)));
      }
    }
    return batch;
  }

  private static Outgoing groupchat(String id, String payload) {
    return new Outgoing(
        id,
        "<message type='groupchat' id='"
            + id
            + "' to='"
            + RoomRunState.ROOM
            + "'>"
            + payload
            + "</message>");
  }

  /// Makes the account of that name a member; the request has the name as its id.
  static String membership(String account) {
    return "<iq type='set' id='"
        + account
        + "' to='"
        + RoomRunState.ROOM
        + "'><query xmlns='"
        + MUC
        + "#admin'><item affiliation='member' jid='"
        + account
        + "@"
        + NoLossPlan.DOMAIN
        + "'/></query></iq>";
  }

  @Override
  public void bound() {
    topicBefore = course.topic();
    stay = -1;
  }

  @Override
  public void received(XmlElement stanza) {
    String type = String.valueOf(stanza.attribute("type"));
    switch (stanza.localName()) {
      case "presence" -> presence(stanza, type);
      case "message" -> message(stanza, type);
      default -> {
        String id = String.valueOf(stanza.attribute("id"));
        if (id.startsWith(GRANT) && type.equals("result")) {
          course.isMember(id);
        }
      }
    }
  }

  private void presence(XmlElement presence, String type) {
    XmlElement x = presence.child(MUC + "#user", "x");
    boolean own =
        x != null && x.children().stream().anyMatch(child -> "110".equals(child.attribute("code")));
    if (type.equals("error")) {
      violated("is not let in: " + presence);
    } else if (own && type.equals("unavailable")) {
      violated("is put out: " + presence);
    } else if (own && stay < 0) {
      stay = course.ledger().enters(login.jid());
      course.note("enters", name + " " + stay);
    }
  }

  private void message(XmlElement message, String type) {
    String id = String.valueOf(message.attribute("id"));
    if (type.equals("error")) {
      refused(message, id);
    } else if (message.child("body") != null && stay < 0) {
      violated("hears something without having entered: " + id);
    } else if (message.child("body") != null) {
      String stanzaId = stanzaId(message);
      course.ledger().heard(stay, new Said(stanzaId, id));
      course.note("heard", name + " " + stay + " " + id + " " + stanzaId);
    } else if (message.child("subject") != null) {
      String topic = message.childText("subject");
      long number = topic.startsWith(TOPIC) ? Long.parseLong(topic.substring(TOPIC.length())) : 0;
      if (number < topicBefore) {
        violated("hears " + topic + " after topic-" + topicBefore + " was acknowledged");
      }
    }
  }

  /// A resumed session is still an occupant, and a new one has entered before it speaks: so only a
  /// subject may be rejected while the database is away, as the room stores it before it answers.
  /// Another rejection is a finding, and the run continues.
  private void refused(XmlElement error, String id) {
    boolean subject = id.startsWith(TOPIC);
    if (subject) {
      refusals.add(id);
    } else {
      course.ledger().refused(id);
    }
    if (subject && course.losesDatabase() && error.condition().equals("resource-constraint")) {
      return;
    }
    violated("is refused: " + id + " " + error.condition());
    if (error.condition().equals("not-acceptable") && stay >= 0) {
      stay = -1;
      client.send(List.of(new Outgoing("", entering)));
    }
  }

  /// The id that the room gave the message (XEP-0359).
  private static String stanzaId(XmlElement message) {
    for (XmlElement child : message.children()) {
      if (child.is("urn:xmpp:sid:0", "stanza-id")
          && RoomRunState.ROOM.equals(child.attribute("by"))) {
        return String.valueOf(child.attribute("id"));
      }
    }
    return "";
  }

  @Override
  public void acknowledged(String id) {
    if (id.startsWith(TOPIC)) {
      // What was refused has been handled too, and the refusal comes first.
      if (!refusals.contains(id)) {
        course.hasTopic(Long.parseLong(id.substring(TOPIC.length())));
      }
    } else {
      course.note("acknowledged", id);
      course.ledger().acknowledged(id);
    }
  }

  @Override
  public void sentAgain(String id) {
    if (!id.startsWith(TOPIC)) {
      course.ledger().said(id);
    }
  }

  @Override
  public void violated(String how) {
    course.violated(name + " " + how);
  }
}
