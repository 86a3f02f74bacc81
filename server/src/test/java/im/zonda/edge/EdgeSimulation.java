package im.zonda.edge;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.link.LinkFormatException;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.runtime.TestRuntime;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.ByteStream;
import im.zonda.stream.MemoryTransport;
import im.zonda.stream.StreamOpening;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// An edge, its clients, and cores that leave, are lost and come back: in one thread, from a seed.
/// The sessions are at a home behind the cores, which is never lost. Clients log in, resume, send
/// and are cut off, again and again; each is to be answered or disconnected.
final class EdgeSimulation {
  private static final int CORES = 3;
  private static final int CLIENTS = 4;
  private static final String MANAGEMENT = "urn:xmpp:sm:3";
  private static final Jid HOST = Jid.of("example.org");

  /// How long a client waits for an answer while nothing is disturbed, in ms: less than a keeper
  /// waits for its session.
  private static final long ANSWERED = 20_000;

  private final SplittableRandom random;
  private final boolean answersFirst;
  private final List<String> faults = new ArrayList<>();
  private final Edge edge;
  private final List<Core> cores = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();

  /// The sessions at the home, by the id by which they are resumed.
  private final Map<String, Session> sessions = new HashMap<>();

  private long now;
  private int logins;
  private boolean calm;

  /// A session: the stream that it is on, and what has arrived.
  private static final class Session {
    final Jid jid;
    final String id;
    @Nullable Core at;
    long stream;
    long received;

    Session(Jid jid, String id) {
      this.jid = jid;
      this.id = id;
    }

    boolean isOn(Core core, long number) {
      return core.equals(at) && stream == number;
    }
  }

  /// @param answersFirst whether a core answers clients before it says that it has; false is a
  ///   planted fault
  EdgeSimulation(long seed, boolean answersFirst) {
    this.random = new SplittableRandom(seed);
    this.answersFirst = answersFirst;
    this.edge =
        new Edge(
            new Edge.Settings(
                Limits.defaults(), Duration.ofMinutes(1), new TestRuntime().build(), () -> now));
    for (int i = 0; i < CORES; i++) {
      cores.add(new Core("core" + i));
    }
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new Client(Jid.of("user" + i + "@example.org/phone")));
    }
  }

  // ---- what happens

  void act() {
    now += random.nextInt(50);
    switch (random.nextInt(20)) {
      case 0 -> any(cores).changeLeaving();
      case 1 -> {
        if (random.nextInt(3) == 0) {
          any(cores).lose();
        }
      }
      case 2 -> cores.forEach(Core::connect);
      case 3 -> edge.tick();
      case 4 -> {
        if (random.nextInt(4) == 0) {
          any(clients).drop();
        }
      }
      case 5, 6, 7 -> any(clients).go();
      default -> step();
    }
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /// One value arrives, or one task of a client's stream runs.
  private boolean step() {
    List<Runnable> possible = new ArrayList<>();
    for (Core core : cores) {
      core.addSteps(possible);
    }
    for (Client client : clients) {
      Runnable task = client.transport.tasks.peek();
      if (task != null) {
        possible.add(() -> Objects.requireNonNull(client.transport.tasks.poll()).run());
      }
    }
    if (possible.isEmpty()) {
      return false;
    }
    any(possible).run();
    return true;
  }

  /// Ends the faults. Every client is to be answered soon.
  void rest() {
    calm = true;
    cores.forEach(Core::connect);
    long until = now + ANSWERED;
    while (now < until) {
      while (step()) {
        now++;
      }
      clients.forEach(Client::go);
      now += 500;
      edge.tick();
    }
    clients.forEach(Client::judge);
  }

  List<String> faults() {
    return faults;
  }

  int logins() {
    return logins;
  }

  // ---- a client

  private enum Waiting {
    FOR_HEADER,
    FOR_SESSION,
    FOR_ACKNOWLEDGEMENT,
    FOR_NOTHING
  }

  private final class Client {
    final Jid jid;
    MemoryTransport transport = new MemoryTransport();
    ByteStream stream;
    Waiting waiting = Waiting.FOR_HEADER;
    @Nullable String session;

    /// Whether it has sent its last stanza, after all faults.
    boolean last;

    Client(Jid jid) {
      this.jid = jid;
      this.stream = connect();
    }

    private ByteStream connect() {
      transport = new MemoryTransport();
      transport.secure = true;
      ByteStream opened = new ByteStream(edge.profile(), transport);
      stream = opened;
      waiting = Waiting.FOR_HEADER;
      last = false;
      bring(
          "<stream:stream xmlns='jabber:client' version='1.0' to='example.org'"
              + " xmlns:stream='http://etherx.jabber.org/streams'>");
      return opened;
    }

    private void bring(String xml) {
      byte[] bytes = xml.getBytes(StandardCharsets.US_ASCII);
      stream.input(bytes, 0, bytes.length);
    }

    /// The network drops the connection.
    void drop() {
      stream.stream().disconnected();
      connect();
    }

    /// Reads what has come, and does the next thing.
    void go() {
      String read = transport.output();
      if (transport.closed) {
        drop();
        return;
      }
      switch (waiting) {
        case FOR_HEADER -> {
          if (read.contains("<stream:stream")) {
            waiting = Waiting.FOR_SESSION;
            String former = session;
            bring(
                former == null
                    ? "<bind xmlns='" + MANAGEMENT + "' jid='" + jid + "'/>"
                    : "<resume xmlns='" + MANAGEMENT + "' previd='" + former + "'/>");
          }
        }
        case FOR_SESSION -> {
          if (read.contains("<answer")) {
            logins++;
            int at = read.indexOf("id='") + 4;
            session = read.substring(at, read.indexOf('\'', at));
            waiting = Waiting.FOR_NOTHING;
          }
        }
        case FOR_ACKNOWLEDGEMENT -> {
          if (read.contains("<a ")) {
            waiting = Waiting.FOR_NOTHING;
          }
        }
        case FOR_NOTHING -> {
          if (!last) {
            last = calm;
            waiting = Waiting.FOR_ACKNOWLEDGEMENT;
            bring("<message to='juliet@example.org'/><r xmlns='" + MANAGEMENT + "'/>");
          }
        }
      }
    }

    void judge() {
      if (waiting != Waiting.FOR_NOTHING) {
        faults.add(jid + " waits: " + waiting + (transport.closed ? ", closed" : ""));
        return;
      }
      Session its = sessions.get(session);
      if (its == null || its.at == null) {
        faults.add(jid + " has no session at any core");
      }
    }
  }

  // ---- a core

  /// A core, with what is on its way to it and from it.
  private final class Core {
    final String name;
    Deque<byte[]> toEdge = new ArrayDeque<>();
    Deque<ToCore> fromEdge = new ArrayDeque<>();
    private @Nullable CoreConnection connection;
    private boolean leaving;

    Core(String name) {
      this.name = name;
      connect();
    }

    void connect() {
      if (connection != null) {
        return;
      }
      leaving = false;
      toEdge = new ArrayDeque<>();
      fromEdge = new ArrayDeque<>();
      Deque<ToCore> in = fromEdge;
      connection =
          edge.accept(
              new TestWire() {
                @Override
                public void send(byte[] frame) {
                  try {
                    in.add(new EdgeCodec().readToCore(frame));
                  } catch (LinkFormatException e) {
                    throw new IllegalStateException(e);
                  }
                }

                @Override
                public void close(String reason) {
                  faults.add(name + " is closed: " + reason);
                }
              },
              name);
    }

    void changeLeaving() {
      if (connection != null) {
        leaving = !leaving;
        say(new ToEdge.Leaving(leaving));
      }
    }

    /// The connection breaks: what is on its way is lost.
    void lose() {
      CoreConnection gone = connection;
      if (gone == null) {
        return;
      }
      connection = null;
      toEdge.clear();
      fromEdge.clear();
      for (Session session : sessions.values()) {
        if (equals(session.at)) {
          session.at = null;
        }
      }
      gone.ended();
    }

    void addSteps(List<Runnable> possible) {
      CoreConnection open = connection;
      if (open != null && !toEdge.isEmpty()) {
        possible.add(() -> open.received(toEdge.remove()));
      }
      if (open != null && !fromEdge.isEmpty()) {
        possible.add(() -> handle(fromEdge.remove()));
      }
    }

    private void say(ToEdge value) {
      toEdge.add(EdgeCodec.write(value));
    }

    private void handle(ToCore value) {
      switch (value) {
        case ToCore.Header(var number, var _, var _) -> {
          say(
              new ToEdge.Header(
                  number,
                  new StreamOpening("jabber:client", HOST, null, "id", "en", true, Map.of())));
          say(new ToEdge.Continue(number));
        }
        case ToCore.FirstLevel(var number, var element) -> login(number, element);
        case ToCore.Reattach reattach -> {
          Session session = sessions.get(reattach.id());
          if (session == null) {
            toStream(reattach.stream(), new ToStream.SessionNotFound(null));
          } else if (!calm && random.nextInt(5) == 0) {
            toStream(reattach.stream(), new ToStream.Unsettled());
          } else {
            resume(session, reattach.stream());
            toStream(reattach.stream(), new ToStream.Resumed(session.jid, session.received, 0));
          }
        }
        case ToCore.Value(var number, var inner) -> handle(number, inner);
        case ToCore.Gone(var number) -> detach(number);
        default -> {}
      }
    }

    private void toStream(long number, ToStream value) {
      say(new ToEdge.Value(number, value));
    }

    /// Binds or resumes a session for a client that negotiates here.
    private void login(long number, Element request) {
      Session session = sessions.get(String.valueOf(request.attribute("previd")));
      ToStream answer;
      if (session == null) {
        String jid = request.attribute("jid");
        session =
            new Session(Jid.of(Objects.requireNonNull(jid)), "session" + (sessions.size() + 1));
        sessions.put(session.id, session);
        answer =
            new ToStream.Bound(
                session.jid, List.of(), new ToStream.Enabled(session.id, Duration.ofMinutes(5)));
      } else {
        answer = new ToStream.Resumed(session.jid, session.received, 0);
      }
      resume(session, number);
      say(new ToEdge.TakeOver(number, HOST, "ticket", session.id, answer));
      ToEdge told =
          new ToEdge.Write(
              number, Element.builder(MANAGEMENT, "answer").attribute("id", session.id).build());
      if (answersFirst) {
        say(told);
      }
      if (!calm && random.nextInt(3) == 0) {
        changeLeaving(); // another thread says so
      }
      say(new ToEdge.Continue(number));
      if (!answersFirst) {
        say(told);
      }
    }

    private void resume(Session session, long number) {
      Core former = session.at;
      if (former != null && !session.isOn(this, number)) {
        former.toStream(
            session.stream, new ToStream.Close(StreamErrorCondition.CONFLICT, "resumed"));
      }
      session.at = this;
      session.stream = number;
    }

    private void handle(long number, ToSession value) {
      for (Session session : sessions.values()) {
        if (session.isOn(this, number) && value instanceof ToSession.Received(var _, var count)) {
          if (count != session.received + 1) {
            faults.add(session.jid + " has sent " + count + " after " + session.received);
          }
          session.received = count;
          toStream(number, new ToStream.Handled(count));
        }
      }
      if (value instanceof ToSession.Lost || value instanceof ToSession.Ended) {
        detach(number);
      }
    }

    private void detach(long number) {
      for (Session session : sessions.values()) {
        if (session.isOn(this, number)) {
          session.at = null;
        }
      }
    }
  }
}
