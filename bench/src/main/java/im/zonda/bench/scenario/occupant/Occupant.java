package im.zonda.bench.scenario.occupant;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.LoginRamp;
import im.zonda.bench.trace.Trace.Message;
import im.zonda.bench.trace.Trace.Session;
import im.zonda.bench.trace.Trace.Stay;
import im.zonda.bench.xmpp.ClientLoop;
import im.zonda.bench.xmpp.ElementListener;
import im.zonda.bench.xmpp.Failures;
import im.zonda.bench.xmpp.Markup;
import im.zonda.bench.xmpp.XmppClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A player of a trace: its connection, and the rooms that it is in. Confined to its loop.
final class Occupant implements ElementListener {
  private static final int MOST_UNSAID = 1_000;
  private static final int MOST_TEXT = 300;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int RETRIES = 20;

  private final Stage stage;
  private final int number;
  private final ClientLoop loop;
  private final List<Attendance> rooms = new ArrayList<>(1);
  private CompletableFuture<Void> online = new CompletableFuture<>();
  private @Nullable XmppClient client;
  private @Nullable Session session;
  private long certainFrom;
  private int entering;

  Occupant(Stage stage, int number) {
    this.stage = stage;
    this.number = number;
    this.loop = stage.load().loops().of(number);
  }

  ClientLoop loop() {
    return loop;
  }

  // ---- what the player does

  /// Connects and logs in.
  ///
  /// @param due by [System#nanoTime]
  CompletableFuture<Void> logIn(Session now, long due) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    online = done;
    session = now;
    var _ =
        XmppClient.login(
                stage.load().loops(),
                stage.hosts().endpoint(number, stage.timetable().stays(number)),
                number,
                LoginRamp.user(stage.load(), number),
                this)
            .thenAcceptAsync(connected -> loggedIn(now, connected, due), loop::execute)
            .whenComplete((_, failure) -> {
              if (failure == null) {
                done.complete(null);
              } else {
                stage.problem("A player could not log in: " + Failures.describe(failure));
                done.completeExceptionally(failure);
              }
            });
    return done;
  }

  private void loggedIn(Session of, XmppClient connected, long due) {
    stage.load().latencies().recordAlways(Latencies.LOGIN, due, System.nanoTime());
    if (!of.equals(session)) {
      connected.close();
      return;
    }
    client = connected;
    certainFrom = stage.clock().millis(System.nanoTime());
    var _ =
        connected
            .ended()
            .thenAccept(cause ->
                loop.execute(() -> {
                  if (client == connected) {
                    stage.problem("A connection has ended: " + Failures.describe(cause));
                  }
                }));
    for (Attendance each : rooms) {
      connected.send(stage.stanzas().enter(each.room(), number));
    }
  }

  /// Ends the connection.
  void logOut() {
    for (Attendance each : rooms) {
      end(each);
    }
    rooms.clear();
    entering = 0;
    Session ended = session;
    XmppClient connected = client;
    session = null;
    client = null;
    if (ended != null && connected != null) {
      long until = stage.timetable().certainUntil(ended.until());
      stage.expected().add(stage.timetable().countSentTo(number, certainFrom, until));
      connected.close();
    }
  }

  /// Enters a room, once the player is connected.
  ///
  /// @param due by [System#nanoTime]
  /// @return completes when the player is in the room
  CompletableFuture<Void> enter(Stay stay, long due) {
    Attendance attendance = new Attendance(stay, stage.timetable(), stage.certain());
    rooms.add(attendance);
    entering++;
    XmppClient connected = client;
    if (connected != null) {
      connected.send(stage.stanzas().enter(stay.room(), number));
    }
    return attendance
        .entered()
        .thenRun(() -> stage.load().latencies().record(ReplayTags.JOIN, due, System.nanoTime()));
  }

  /// Leaves a room.
  void leave(Stay stay) {
    for (Attendance each : rooms) {
      if (each.stay().equals(stay)) {
        rooms.remove(each);
        entering -= each.entered().isDone() ? 0 : 1;
        end(each);
        XmppClient connected = client;
        if (connected != null) {
          connected.send(stage.stanzas().leave(stay.room(), number));
        }
        return;
      }
    }
  }

  private void end(Attendance attendance) {
    stage.expected().add(attendance.expected(stage.timetable()));
    if (!attendance.unsaid().isEmpty()) {
      stage.load().counters().add(ReplayTags.UNSENT, attendance.unsaid().size());
    }
  }

  /// Ends all stays as far as counting goes. The connection remains.
  void finish() {
    rooms.forEach(this::end);
    Session last = session;
    if (last != null && client != null) {
      long until = stage.timetable().certainUntil(last.until());
      stage.expected().add(stage.timetable().countSentTo(number, certainFrom, until));
    }
  }

  /// Resets the connection.
  void cut() {
    XmppClient connected = client;
    client = null;
    if (connected != null) {
      connected.cut();
    }
  }

  /// Sends a message of the trace, at once or as soon as the player is in the room.
  void say(int message) {
    Message said = stage.timetable().message(message);
    if (said.direct()) {
      var _ = online.thenRun(() -> sendDirect(message, said));
      return;
    }
    Attendance attendance = attendance(said.place());
    if (attendance == null || attendance.unsaid().size() >= MOST_UNSAID) {
      stage.load().counters().add(ReplayTags.UNSENT, 1);
    } else if (attendance.isIn()) {
      send(message, said, true);
    } else {
      stage.load().counters().add(ReplayTags.POSTPONED, 1);
      attendance.unsaid().add(message);
    }
  }

  private @Nullable Attendance attendance(int room) {
    for (Attendance each : rooms) {
      if (each.room() == room) {
        return each;
      }
    }
    return null;
  }

  private void sendDirect(int message, Message said) {
    send(message, said, true);
  }

  /// @param timely whether the time until now is the generator's lateness
  private void send(int message, Message said, boolean timely) {
    XmppClient connected = client;
    if (connected == null) {
      stage.load().counters().add(ReplayTags.UNSENT, 1);
      return;
    }
    long due = stage.clock().due(said.millis());
    long now = System.nanoTime();
    String body = new CopyMark(message, Math.max(0, (now - due) / 1_000)).body(said.bytes());
    if (said.direct()) {
      String address = stage.hosts().player(said.place(), stage.timetable().stays(said.place()));
      connected.send(RoomStanzas.chat(address, body));
    } else {
      connected.send(stage.stanzas().say(said.place(), body));
    }
    if (timely) {
      stage.load().latencies().record(Latencies.SEND_DELAY, due, now);
    }
    stage.load().counters().add(Counters.SENT, 1);
  }

  // ---- what arrives

  @Override
  public void element(byte[] bytes, int from, int to, long nanos) {
    if (Markup.startsWith(bytes, from, to, "<message")) {
      message(bytes, from, to, nanos);
    } else if (Markup.startsWith(bytes, from, to, "<presence")) {
      if (entering > 0) {
        presence(bytes, from, to, nanos);
      }
    } else if (Markup.startsWith(bytes, from, to, "<stream:error")) {
      stage.problem("The server has ended a stream: " + text(bytes, from, to));
    }
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, Math.min(MOST_TEXT, to - from), StandardCharsets.UTF_8);
  }

  private void message(byte[] bytes, int from, int to, long nanos) {
    int number = CopyMark.message(bytes, from, to);
    if ("error".equals(Markup.attribute(bytes, from, to, "type"))) {
      stage.problem("The server answered a message: " + text(bytes, from, to));
      return;
    }
    if (!stage.timetable().has(number) || Markup.indexOf(bytes, from, to, "urn:xmpp:delay") >= 0) {
      return; // a subject, or a message of before
    }
    Message said = stage.timetable().message(number);
    if (said.direct()) {
      direct(said, nanos);
    } else {
      copy(number, said, nanos, CopyMark.delayMicros(bytes, from, to));
    }
  }

  private void direct(Message said, long nanos) {
    Session now = session;
    if (said.place() != number || now == null) {
      return;
    }
    long until = stage.timetable().certainUntil(now.until());
    if (said.millis() >= certainFrom && said.millis() <= until) {
      stage.certain().increment();
    }
    stage.load().latencies().record(ReplayTags.DIRECT, stage.clock().due(said.millis()), nanos);
  }

  private void copy(int message, Message said, long nanos, long delayMicros) {
    Attendance attendance = attendance(said.place());
    if (attendance == null) {
      return; // on its way when the player left
    }
    Counters counters = stage.load().counters();
    switch (attendance.arrived(message, stage.timetable().senderPlace(message), said.millis())) {
      case NEXT -> {}
      case DOUBLED -> counters.add(Counters.DOUBLED, 1);
      case LATE -> counters.add(ReplayTags.OUT_OF_ORDER, 1);
    }
    counters.add(Counters.RECEIVED, 1);
    Latencies latencies = stage.load().latencies();
    long due = stage.clock().due(said.millis());
    latencies.record(Latencies.DELIVERY, due, nanos);
    // Recorded for the time when the message was due, as all others.
    latencies.record(Latencies.SERVICE, due, nanos - TimeUnit.MICROSECONDS.toNanos(delayMicros));
    latencies.recordLast(ReplayTags.LAST_RECEIVER, message, due, nanos);
    String tag = stage.extraTag().apply(message);
    if (tag != null) {
      latencies.record(tag, due, nanos);
    }
  }

  private void presence(byte[] bytes, int from, int to, long nanos) {
    String type = Markup.attribute(bytes, from, to, "type");
    boolean isError = "error".equals(type);
    if (!isError && (type != null || !hasStatus(bytes, from, to, "110"))) {
      return;
    }
    int room = stage.stanzas().sender(bytes, from, to);
    Attendance attendance = room < 0 ? null : attendance(room);
    if (attendance == null || attendance.entered().isDone()) {
      return;
    }
    if (isError) {
      rejected(attendance, bytes, from, to);
    } else if (hasStatus(bytes, from, to, "201")) {
      unlock(attendance);
    } else {
      entered(attendance, nanos);
    }
  }

  private static boolean hasStatus(byte[] bytes, int from, int to, String code) {
    return Markup.indexOf(bytes, from, to, "code='" + code + "'") >= 0
        || Markup.indexOf(bytes, from, to, "code=\"" + code + "\"") >= 0;
  }

  /// Another process may just create the room, which is locked meanwhile.
  private void rejected(Attendance attendance, byte[] bytes, int from, int to) {
    boolean isLocked = Markup.indexOf(bytes, from, to, "item-not-found") >= 0;
    if (isLocked && attendance.retry() <= RETRIES) {
      loop.at(
          System.nanoTime() + RETRY_NANOS,
          () -> {
            XmppClient connected = client;
            if (connected != null && rooms.contains(attendance)) {
              connected.send(stage.stanzas().enter(attendance.room(), number));
            }
          });
      return;
    }
    String reason = "A player could not enter a room: " + text(bytes, from, to);
    stage.problem(reason);
    entering--;
    attendance.entered().completeExceptionally(new IllegalStateException(reason));
  }

  private void unlock(Attendance attendance) {
    XmppClient connected = client;
    if (connected != null) {
      var _ =
          connected
              .iq("set", stage.stanzas().room(attendance.room()), stage.stanzas().unlock())
              .whenComplete((answer, failure) ->
                  loop.execute(() -> {
                    if (failure != null || "error".equals(Markup.attribute(answer, "type"))) {
                      stage.problem("A new room could not be unlocked: " + answer);
                    }
                    if (!attendance.entered().isDone()) {
                      entered(attendance, System.nanoTime());
                    }
                  }));
    }
  }

  private void entered(Attendance attendance, long nanos) {
    entering--;
    attendance.begin(stage.clock().millis(nanos));
    for (Integer message = attendance.unsaid().poll();
        message != null;
        message = attendance.unsaid().poll()) {
      send(message, stage.timetable().message(message), false);
    }
  }
}
