package im.zonda.bench.scenario.person;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.LoginRamp;
import im.zonda.bench.xmpp.ClientLoop;
import im.zonda.bench.xmpp.Login;
import im.zonda.bench.xmpp.Markup;
import im.zonda.bench.xmpp.Stamp;
import im.zonda.bench.xmpp.StampedMessage;
import im.zonda.bench.xmpp.XmppClient;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A client that takes steps, and records how long each takes. Confined to its loop.
public final class Person {
  /// The counter of messages that arrived at someone who is online, as opposed to copies in rooms.
  public static final String ARRIVED = "arrived";

  private static final String PING = "<ping xmlns='urn:xmpp:ping'/>";
  private static final int SHOWN = 300;
  private static final int BODY_BYTES = 100;
  private static final long LIMIT_SECONDS = 60;

  /// A room that is locked for longer than a second is an error.
  private static final int MOST_TRIES = 20;

  private static final long TRY_NANOS = 50_000_000;

  private final Load load;
  private final int number;
  private XmppClient client;
  private int sequence;
  private int tries;
  private @Nullable CompletableFuture<Void> entered;
  private @Nullable CompletableFuture<Void> returned;
  private String room = "";

  @SuppressWarnings("NullAway.Init") // set by the login, before anything else
  private Person(Load load, int number) {
    this.load = load;
    this.number = number;
  }

  /// Logs in, with initial presence, and records how long that took.
  ///
  /// @param due when the login was due
  public static CompletableFuture<Person> login(Load load, int number, long due) {
    return login(load, number, LoginRamp.user(load, number), due);
  }

  /// The same with another login.
  public static CompletableFuture<Person> login(Load load, int number, Login login, long due) {
    Person person = new Person(load, number);
    load.latencies().record(Latencies.SEND_DELAY, due, System.nanoTime());
    return XmppClient.login(load.loops(), load.endpoint(number), number, login, person::arrived)
        .thenApply(online -> {
          person.client = online;
          load.latencies().record(Latencies.LOGIN, due, System.nanoTime());
          return person;
        });
  }

  /// The number of the client.
  public int number() {
    return number;
  }

  /// The loop on which it must be used.
  public ClientLoop loop() {
    return load.loops().of(number);
  }

  /// The full address.
  public String address() {
    return client.address();
  }

  /// The bare address of another user of the load.
  public static String address(Load load, int user) {
    return "u" + user + "@" + load.endpoint(user).domain();
  }

  /// Requests the own roster.
  public CompletableFuture<Void> readRoster(long due) {
    return request(Tags.ROSTER, due, "", "<query xmlns='jabber:iq:roster'/>");
  }

  /// Requests somebody's vCard (XEP-0054). That there is none is an answer, too.
  public CompletableFuture<Void> readVcard(String of, long due) {
    return request(Tags.VCARD, due, of, "<vCard xmlns='vcard-temp'/>");
  }

  /// Asks for something, and records the time to the answer. An error is counted, and no failure.
  ///
  /// @param to the address; empty for the own account
  public CompletableFuture<Void> request(String tag, long due, String to, String content) {
    return client
        .iq("get", to, content)
        .thenAccept(answer -> {
          boolean missing =
              tag.equals(Tags.VCARD)
                  && (answer.contains("<item-not-found")
                      || answer.contains("<service-unavailable"));
          if ("error".equals(Markup.attribute(answer, "type")) && !missing) {
            refused(answer);
          } else {
            load.latencies().record(tag, due, System.nanoTime());
          }
        });
  }

  /// Sends a message, which its receiver records by [Tags#MESSAGE_ONLINE].
  public void write(String to, long due) {
    send(to, "chat", due);
    load.counters().add(Counters.SENT, 1);
  }

  /// Sends a message to someone who is offline, and waits until the server has taken it.
  public CompletableFuture<Void> writeToAbsent(String to, long due) {
    send(to, "chat", due);
    return request(Tags.MESSAGE_OFFLINE, due, client.address().replaceAll("^[^@]*@|/.*", ""), PING);
  }

  /// Enters a room (XEP-0045), which is made and unlocked if it is new. While somebody else has not
  /// unlocked it yet, this is tried again.
  ///
  /// @param address the address of the room
  public CompletableFuture<Void> enter(String address, long due) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    entered = done;
    room = address;
    tries = 0;
    askToEnter();
    return done.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
        .thenAccept(_ -> load.latencies().record(Tags.ENTER, due, System.nanoTime()));
  }

  private void askToEnter() {
    client.send(
        "<presence to='"
            + room
            + "/u"
            + number
            + "'><x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x></presence>");
  }

  /// Writes into the room that was entered last, and waits until the message has returned.
  public CompletableFuture<Void> writeToRoom(long due) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    returned = done;
    send(room, "groupchat", due);
    return done.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private void send(String to, String type, long due) {
    long now = System.nanoTime();
    load.latencies().record(Latencies.SEND_DELAY, due, now);
    client.send(
        StampedMessage.to(to, type, BODY_BYTES).with(new Stamp(due, now, number, sequence++)));
  }

  /// Leaves the room that was entered last.
  public void leaveRoom() {
    if (!room.isEmpty()) {
      client.send("<presence type='unavailable' to='" + room + "/u" + number + "'/>");
      room = "";
    }
  }

  /// Sends presence, or anything else that has no answer.
  public void send(String xml) {
    client.send(xml);
  }

  /// A request of another kind.
  public CompletableFuture<String> iq(String type, String to, String content) {
    return client.iq(type, to, content);
  }

  /// Logs out.
  public void close() {
    client.send("<presence type='unavailable'/>");
    client.close();
  }

  private void arrived(byte[] bytes, int from, int to, long nanos) {
    if (Markup.startsWith(bytes, from, to, "<message")) {
      message(bytes, from, to, nanos);
    } else if (Markup.startsWith(bytes, from, to, "<presence")) {
      presence(bytes, from, to);
    } else if (Markup.startsWith(bytes, from, to, "<stream:error")) {
      refused(text(bytes, from, to));
    }
  }

  private void message(byte[] bytes, int from, int to, long nanos) {
    String type = Markup.attribute(bytes, from, to, "type");
    if ("error".equals(type)) {
      refused(text(bytes, from, to));
      return;
    }
    int stamp = Stamp.find(bytes, from, to);
    if (stamp < 0 || Markup.indexOf(bytes, from, to, "urn:xmpp:delay") >= 0) {
      return; // a message of the server, or an old one
    }
    long due = Stamp.due(bytes, stamp);
    load.counters().add(Counters.RECEIVED, 1);
    if (!"groupchat".equals(type)) {
      load.latencies().record(Tags.MESSAGE_ONLINE, due, nanos);
      load.counters().add(ARRIVED, 1);
    } else if (Stamp.sender(bytes, stamp) != number) {
      load.latencies().record(Tags.GROUP_COPY, due, nanos);
    } else {
      load.latencies().record(Tags.GROUP_CHAT, due, nanos);
      CompletableFuture<Void> waiting = returned;
      returned = null;
      if (waiting != null) {
        waiting.complete(null);
      }
    }
  }

  private void presence(byte[] bytes, int from, int to) {
    CompletableFuture<Void> waiting = entered;
    if (waiting == null) {
      return;
    }
    String sender = Markup.attribute(bytes, from, to, "from");
    if (sender == null || !sender.startsWith(room + "/")) {
      return;
    }
    if ("error".equals(Markup.attribute(bytes, from, to, "type"))) {
      if (Markup.indexOf(bytes, from, to, "<item-not-found") >= 0 && tries++ < MOST_TRIES) {
        loop().at(System.nanoTime() + TRY_NANOS, this::askToEnter);
        return;
      }
      entered = null;
      refused(text(bytes, from, to));
      waiting.completeExceptionally(new IllegalStateException("the room was not entered"));
      return;
    }
    if (hasStatus(bytes, from, to, "110")) {
      entered = null;
      if (hasStatus(bytes, from, to, "201")) {
        String form =
            "<query xmlns='http://jabber.org/protocol/muc#owner'><x xmlns='jabber:x:data'"
                + " type='submit'/></query>";
        var _ = client.iq("set", room, form);
      }
      waiting.complete(null);
    }
  }

  private static boolean hasStatus(byte[] bytes, int from, int to, String code) {
    return Markup.indexOf(bytes, from, to, "code='" + code + "'") >= 0
        || Markup.indexOf(bytes, from, to, "code=\"" + code + "\"") >= 0;
  }

  private void refused(String element) {
    load.counters().add(Counters.ERRORS, 1);
    load.counters()
        .problem("the server answered " + element.substring(0, Math.min(SHOWN, element.length())));
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
