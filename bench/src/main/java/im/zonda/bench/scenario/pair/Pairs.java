package im.zonda.bench.scenario.pair;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.LoginRamp;
import im.zonda.bench.load.Waiting;
import im.zonda.bench.xmpp.ClientLoop;
import im.zonda.bench.xmpp.Endpoint;
import im.zonda.bench.xmpp.Login;
import im.zonda.bench.xmpp.Markup;
import im.zonda.bench.xmpp.Stamp;
import im.zonda.bench.xmpp.StampedMessage;
import im.zonda.bench.xmpp.XmppClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The pairs of clients of this process: 2k and 2k+1 send each other messages to their full
/// addresses.
public final class Pairs implements AutoCloseable {
  private final Load load;
  private final Setup setup;
  private final String delivery;
  private final Map<Integer, Member> members = new TreeMap<>();
  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final long begun = System.nanoTime();
  private volatile int kept;

  /// How the clients of pairs connect and what they send.
  ///
  /// @param clients how many there are in all processes
  /// @param atATime how many log in at the same time
  /// @param bodyBytes the length of a body
  /// @param transport what carries their streams; null for that of the run
  /// @param managed whether they have the server acknowledge each message (XEP-0198)
  public record Setup(
      int clients,
      int atATime,
      int bodyBytes,
      Endpoint.@Nullable Transport transport,
      boolean managed) {
    /// Clients without acknowledgements.
    public Setup(int clients, int atATime, int bodyBytes, Endpoint.@Nullable Transport transport) {
      this(clients, atATime, bodyBytes, transport, false);
    }

    /// What of the clients differs by transport: their resource, and the end of the tag of their
    /// deliveries.
    String word() {
      return transport == null ? "" : transport.name().toLowerCase(Locale.ROOT);
    }
  }

  private Pairs(Load load, Setup setup) {
    this.load = load;
    this.setup = setup;
    String word = setup.word();
    delivery = word.isEmpty() ? Latencies.DELIVERY : Latencies.DELIVERY + "-" + word;
  }

  /// Logs in the clients that are this process's, with initial presence.
  ///
  /// @throws IOException if one of them is not let in
  public static Pairs login(Load load, Setup setup) throws IOException, InterruptedException {
    Pairs pairs = new Pairs(load, setup);
    for (int client = 0; client < setup.clients; client++) {
      if (load.isMine(client)) {
        pairs.members.put(client, pairs.new Member(client));
      }
    }
    Map<Integer, XmppClient> clients =
        new LoginRamp(load, setup.atATime, pairs::endpoint)
            .login(setup.clients, pairs::user, client -> pairs.member(client)::arrived);
    clients.forEach((number, client) -> {
      XmppClient partner = clients.get(number ^ 1);
      if (partner == null) {
        throw new IllegalStateException("client " + number + " has no partner");
      }
      pairs
          .member(number)
          .begin(client, StampedMessage.to(partner.address(), "chat", setup.bodyBytes));
    });
    return pairs;
  }

  private Endpoint endpoint(int client) {
    return setup.transport == null ? load.endpoint(client) : load.endpoint(client, setup.transport);
  }

  private Login user(int client) {
    Login login = LoginRamp.user(load, client);
    login = setup.transport == null ? login : login.withResource(setup.word());
    return setup.managed ? login.managed() : login;
  }

  private Member member(int client) {
    Member member = members.get(client);
    if (member == null) {
      throw new IllegalArgumentException("client " + client + " is not of this process");
    }
    return member;
  }

  /// The numbers of this process's clients by event loop, ascending.
  public Map<ClientLoop, List<Integer>> byLoop() {
    Map<ClientLoop, List<Integer>> byLoop = new LinkedHashMap<>();
    members.forEach((number, member) ->
        byLoop.computeIfAbsent(load.loops().of(number), _ -> new ArrayList<>()).add(number));
    return byLoop;
  }

  /// Sends a message to the client's partner. Only on the client's loop.
  ///
  /// @param due when that was due, by [System#nanoTime]
  public void send(int client, long due) {
    member(client).send(due);
  }

  /// Keeps a number of messages of each client under way: a closed loop, in which the next message
  /// waits for a delivery.
  ///
  /// @param window 0 ends that
  public void keep(int window) {
    kept = window;
    if (window > 0) {
      byLoop()
          .forEach((loop, clients) ->
              loop.execute(() -> {
                for (int client : clients) {
                  for (int i = 0; i < window; i++) {
                    send(client, System.nanoTime());
                  }
                }
              }));
    }
  }

  /// How many messages were sent.
  public long sent() {
    return sent.sum();
  }

  /// How many messages have arrived.
  public long received() {
    return received.sum();
  }

  /// When the last message arrived, by [System#nanoTime]; 0 if none has.
  public long lastArrival() {
    return members.values().stream().mapToLong(member -> member.last).max().orElse(0);
  }

  /// Waits until all that was sent has arrived.
  ///
  /// @return whether it has
  public boolean drain(double seconds) throws InterruptedException {
    return Waiting.until(() -> received() >= sent(), seconds);
  }

  /// Logs all clients out.
  @Override
  public void close() {
    LoginRamp.logout(members.values().stream().map(member -> member.client).toList());
  }

  private final class Member {
    private final int number;
    private XmppClient client;
    private StampedMessage message;
    private final Acknowledgements acknowledgements = new Acknowledgements(load);
    private int sequence;
    private int expected;
    private volatile long last;

    @SuppressWarnings("NullAway.Init") // set before anything is sent
    Member(int number) {
      this.number = number;
    }

    void begin(XmppClient online, StampedMessage toPartner) {
      client = online;
      message = toPartner;
    }

    void send(long due) {
      long now = System.nanoTime();
      client.send(message.with(new Stamp(due, now, number, sequence++)));
      if (setup.managed()) {
        acknowledgements.ask(client, due);
      }
      load.latencies().record(Latencies.SEND_DELAY, due, now);
      load.counters().add(Counters.SENT, 1);
      sent.increment();
    }

    void arrived(byte[] bytes, int from, int to, long nanos) {
      if (setup.managed() && acknowledgements.take(bytes, from, to, nanos)) {
        return;
      }
      int stamp = Markup.startsWith(bytes, from, to, "<message") ? Stamp.find(bytes, from, to) : -1;
      if (stamp < 0 || Stamp.sender(bytes, stamp) != (number ^ 1)) {
        refused(bytes, from, to);
        return;
      }
      if (Stamp.sent(bytes, stamp) < begun) {
        return; // of an earlier run, kept by the server until now
      }
      last = nanos;
      load.latencies().record(delivery, Stamp.due(bytes, stamp), nanos);
      load.latencies().record(Latencies.SERVICE, Stamp.sent(bytes, stamp), nanos);
      load.counters().add(Counters.RECEIVED, 1);
      int arrived = Stamp.sequence(bytes, stamp);
      if (arrived < expected) {
        load.counters().add(Counters.DOUBLED, 1);
        return;
      }
      if (arrived > expected) {
        load.counters().add("gaps", arrived - expected);
      }
      expected = arrived + 1;
      received.increment();
      if (kept > 0) {
        member(number ^ 1).send(nanos);
      }
    }

    private void refused(byte[] bytes, int from, int to) {
      if (Markup.indexOf(bytes, from, to, "type='error'") >= 0
          || Markup.indexOf(bytes, from, to, "type=\"error\"") >= 0
          || Markup.startsWith(bytes, from, to, "<stream:error")) {
        load.counters().add(Counters.ERRORS, 1);
        load.counters()
            .problem(
                "the server answered "
                    + new String(bytes, from, Math.min(300, to - from), StandardCharsets.UTF_8));
      }
    }
  }
}
