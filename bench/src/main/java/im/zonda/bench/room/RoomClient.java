package im.zonda.bench.room;

import im.zonda.bench.client.Attributes;
import im.zonda.bench.client.StampScanner;
import im.zonda.bench.client.StanzaCutter;
import im.zonda.bench.options.LoadOptions;
import im.zonda.testkit.client.Scram;
import im.zonda.testkit.client.ScriptedClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A client that logs in and enters one room. A state machine over bytes without a thread of its
/// own. Read by one thread at a time; once it is [Events#online], any thread may call its actions.
public final class RoomClient implements StanzaCutter.Listener {
  private static final String MUC = "http://jabber.org/protocol/muc";
  private static final byte[] ERROR = ascii("type='error'");
  private static final byte[] ERROR_QUOTED = ascii("type=\"error\"");
  private static final byte[] SELF = ascii("code='110'");
  private static final byte[] SELF_QUOTED = ascii("code=\"110\"");
  private static final byte[] CREATED = ascii("code='201'");
  private static final byte[] CREATED_QUOTED = ascii("code=\"201\"");
  private static final byte[] UNAVAILABLE = ascii("unavailable");
  private static final int TOLD = 300;

  /// The connection to the server.
  public interface Line {
    /// Sends bytes. Any thread may call this.
    void write(byte[] bytes);

    /// Closes the connection.
    void close();
  }

  /// Listener for the progress of the client, called on the thread that reads for it.
  public interface Events {
    /// The client has logged in, bound its resource and become available.
    void online(RoomClient client);

    /// The client is in the room; if it has created the room, the room is unlocked.
    void entered(RoomClient client);

    /// The client has left the room.
    void left(RoomClient client);

    /// A message has been received that was due at the given time.
    void copy(RoomClient client, long due);

    /// The client failed: an error of the server, or the end of the connection.
    void failed(RoomClient client, String what);
  }

  private enum State {
    CONNECTING,
    GREETED,
    CHALLENGED,
    PROVEN,
    GREETED_AGAIN,
    BINDING,
    OUTSIDE,
    ENTERING,
    UNLOCKING,
    INSIDE,
    LEAVING,
    ENDED
  }

  /// Values shared by all clients of a load.
  ///
  /// @param options domain and password
  /// @param keys cache of salted passwords
  /// @param service the address of the room service
  public record Shared(LoadOptions options, Map<String, byte[]> keys, String service) {}

  private final String user;
  private final Shared shared;
  private final Events events;
  private final StanzaCutter cutter = new StanzaCutter(this);
  private volatile State state = State.CONNECTING;
  private volatile @Nullable String room;
  private @Nullable Scram scram;
  private @Nullable Line line;
  private long presences;

  public RoomClient(String user, Shared shared, Events events) {
    this.user = user;
    this.shared = shared;
    this.events = events;
  }

  /// The room that the client is in or enters.
  public @Nullable String room() {
    return room;
  }

  /// Number of presences received from rooms, including the client's own.
  public long presences() {
    return presences;
  }

  /// Called when the connection is made; opens the stream.
  public void connected(Line way) {
    line = way;
    state = State.GREETED;
    open();
  }

  /// Processes received bytes.
  public void take(byte[] bytes, int from, int to) {
    cutter.take(bytes, from, to);
  }

  /// The connection has ended, or could not be made.
  public void disconnected(String why) {
    if (state != State.ENDED) {
      fail(why);
    }
  }

  /// Enters a room without history; creates it if it does not exist.
  public void enter(String name) {
    room = name;
    state = State.ENTERING;
    write(
        "<presence to='"
            + name
            + "@"
            + shared.service()
            + "/"
            + user
            + "'><x xmlns='"
            + MUC
            + "'><history maxstanzas='0'/></x></presence>");
  }

  /// Leaves its room.
  public void leave() {
    state = State.LEAVING;
    write("<presence type='unavailable' to='" + room + "@" + shared.service() + "/" + user + "'/>");
  }

  /// Sends a message to the room.
  ///
  /// @param due when the message was due, by [System#nanoTime]
  /// @param rest the body after the time
  public void say(long due, long number, String rest) {
    String digits = Long.toString(due);
    write(
        "<message type='groupchat' id='m"
            + number
            + "' to='"
            + room
            + "@"
            + shared.service()
            + "'><body>~"
            + "0".repeat(StampScanner.DIGITS - digits.length())
            + digits
            + rest
            + "</body></message>");
  }

  /// Ends its stream and its connection.
  public void close() {
    State before = state;
    state = State.ENDED;
    Line way = line;
    if (way != null) {
      if (before != State.ENDED) {
        way.write(ascii("</stream:stream>"));
      }
      way.close();
    }
  }

  // ---- what comes

  @Override
  public void element(byte[] bytes, int from, int to) {
    switch (state) {
      case INSIDE -> inside(bytes, from, to);
      case ENTERING, UNLOCKING, LEAVING, OUTSIDE -> passing(bytes, from, to);
      case CONNECTING, ENDED -> {
        // Irrelevant at this stage.
      }
      default -> login(text(bytes, from, to));
    }
  }

  @Override
  public void end() {
    disconnected("the server has closed the stream");
  }

  private void inside(byte[] bytes, int from, int to) {
    switch (bytes[from + 1]) {
      case 'm' -> message(bytes, from, to);
      case 'p' -> {
        presences++;
        if (isUnavailable(bytes, from) && isSelf(bytes, from, to)) {
          fail(text(bytes, from, to));
        }
      }
      default -> other(bytes, from, to);
    }
  }

  private void passing(byte[] bytes, int from, int to) {
    switch (bytes[from + 1]) {
      case 'm' -> message(bytes, from, to);
      case 'p' -> presence(bytes, from, to);
      default -> other(bytes, from, to);
    }
  }

  private void presence(byte[] bytes, int from, int to) {
    // Otherwise it is the echo of the client's own presence.
    presences += state == State.OUTSIDE ? 0 : 1;
    if (isError(bytes, from, to)) {
      fail(text(bytes, from, to));
    } else if (isSelf(bytes, from, to)) {
      if (state == State.LEAVING) {
        state = State.OUTSIDE;
        room = null;
        events.left(this);
      } else if (has(bytes, from, to, CREATED) || has(bytes, from, to, CREATED_QUOTED)) {
        state = State.UNLOCKING;
        write(
            "<iq type='set' id='unlock' to='"
                + room
                + "@"
                + shared.service()
                + "'><query xmlns='"
                + MUC
                + "#owner'><x xmlns='jabber:x:data' type='submit'/></query></iq>");
      } else if (state == State.ENTERING) {
        inside();
      }
    }
  }

  private void inside() {
    state = State.INSIDE;
    events.entered(this);
  }

  private void message(byte[] bytes, int from, int to) {
    if (isError(bytes, from, to)) {
      events.failed(this, text(bytes, from, to));
      return;
    }
    for (int i = from; i + StampScanner.DIGITS < to; i++) {
      if (bytes[i] == '~') {
        long due = 0;
        for (int digit = i + 1; digit <= i + StampScanner.DIGITS; digit++) {
          due = due * 10 + (bytes[digit] - '0');
        }
        events.copy(this, due);
        return;
      }
    }
  }

  /// Answers requests such as pings, so that the server keeps the connection.
  private void other(byte[] bytes, int from, int to) {
    String text = text(bytes, from, to);
    if (!text.startsWith("<iq")) {
      fail(text);
      return;
    }
    String type = Attributes.of(text, "type");
    if (state == State.UNLOCKING && "unlock".equals(Attributes.of(text, "id"))) {
      if ("result".equals(type)) {
        inside();
      } else {
        fail(text);
      }
    } else if ("get".equals(type) || "set".equals(type)) {
      String sender = Attributes.of(text, "from");
      String to1 = sender == null ? "" : "' to='" + sender;
      write("<iq type='result' id='" + Attributes.of(text, "id") + to1 + "'/>");
    }
  }

  // ---- login

  private void login(String text) {
    switch (state) {
      case GREETED -> {
        scram = new Scram("SHA-1", "n,,", new byte[0], user, "n" + System.nanoTime() + user);
        scram.keeping(shared.keys());
        step(
            State.CHALLENGED,
            "<auth xmlns='"
                + ScriptedClient.SASL
                + "' mechanism='SCRAM-SHA-1'>"
                + encoded(scram.first())
                + "</auth>");
      }
      case CHALLENGED -> challenged(text);
      case PROVEN -> {
        if (text.startsWith("<success")) {
          scram = null;
          state = State.GREETED_AGAIN;
          open();
        } else {
          fail(text);
        }
      }
      case GREETED_AGAIN ->
          step(
              State.BINDING,
              "<iq type='set' id='bind'><bind xmlns='"
                  + ScriptedClient.BIND
                  + "'><resource>load</resource></bind></iq>");
      case BINDING -> bound(text);
      default -> fail(text);
    }
  }

  private void challenged(String text) {
    Scram exchange = scram;
    int end = text.lastIndexOf("</");
    if (exchange == null || end < 0 || !text.startsWith("<challenge")) {
      fail(text);
      return;
    }
    String data = text.substring(text.indexOf('>') + 1, end);
    String challenge = new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8);
    step(
        State.PROVEN,
        "<response xmlns='"
            + ScriptedClient.SASL
            + "'>"
            + encoded(exchange.last(challenge, shared.options().password()))
            + "</response>");
  }

  private void bound(String text) {
    if (text.contains("</jid>")) {
      step(State.OUTSIDE, "<presence/>");
      events.online(this);
    } else {
      fail(text);
    }
  }

  private void step(State next, String xml) {
    state = next;
    write(xml);
  }

  private void open() {
    write(
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='"
            + ScriptedClient.STREAMS
            + "' version='1.0' to='"
            + shared.options().domain()
            + "'>");
  }

  private void fail(String what) {
    State before = state;
    state = State.ENDED;
    String told = what.length() <= TOLD ? what : what.substring(0, TOLD);
    events.failed(this, user + ", " + before + ": " + told);
    Line way = line;
    if (way != null) {
      way.close();
    }
  }

  private void write(String xml) {
    Line way = line;
    if (way != null) {
      way.write(xml.getBytes(StandardCharsets.UTF_8));
    }
  }

  // ---- bytes

  private static boolean isSelf(byte[] bytes, int from, int to) {
    return has(bytes, from, to, SELF) || has(bytes, from, to, SELF_QUOTED);
  }

  private static boolean isError(byte[] bytes, int from, int to) {
    int end = from;
    while (end < to && bytes[end] != '>') {
      end++;
    }
    return has(bytes, from, end, ERROR) || has(bytes, from, end, ERROR_QUOTED);
  }

  private static boolean isUnavailable(byte[] bytes, int from) {
    int end = from;
    while (end < bytes.length && bytes[end] != '>') {
      end++;
    }
    return has(bytes, from, end, UNAVAILABLE);
  }

  private static boolean has(byte[] bytes, int from, int to, byte[] wanted) {
    for (int i = from; i <= to - wanted.length; i++) {
      int same = 0;
      while (same < wanted.length && bytes[i + same] == wanted[same]) {
        same++;
      }
      if (same == wanted.length) {
        return true;
      }
    }
    return false;
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
