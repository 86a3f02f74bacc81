package im.zonda.home.remote;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamFailure.Reason;
import im.zonda.module.Envelope;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.simulation.SimulatedClock;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.storage.memory.MemoryData;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Two servers whose users write to each other over streams that break at any moment, while either
/// server is killed; everything on one thread, in an order that a seed decides.
final class FederationSimulation {
  private static final List<String> USERS = List.of("romeo", "juliet", "nurse");

  /// A server that is killed and started again; what users know and what is on disk stays.
  private final class Side {
    private final String domain;
    private final String remote;
    private final MemoryData data = new MemoryData();

    /// What has come in and is not durable, oldest first.
    private final Deque<Envelope> arriving = new ArrayDeque<>();

    private final List<Stanza> arrived = new ArrayList<>();
    private RemoteServer server;
    private CommitLog log;
    private int attempts;

    private Side(String domain, String remote) {
      this.domain = domain;
      this.remote = remote;
      this.server = start();
      this.log = Objects.requireNonNull(started);
    }

    private DomainPair pair() {
      return new DomainPair(domain, remote);
    }

    private RemoteServer start() {
      RemoteServer next =
          new RemoteServer(
              domain,
              time,
              data,
              messages -> {
                started = new CommitLog(messages, fault);
                return started;
              });
      next.arrival = this::arrive;
      attempts = 0;
      return next;
    }

    private void arrive(Envelope envelope) {
      if (envelope.stanza().isError() && envelope.origin().equals(Origin.NONE)) {
        String id = String.valueOf(envelope.stanza().id());
        // Ids that a server has made are unique on that server.
        errors.add(Character.isDigit(id.charAt(0)) ? domain + id : id);
        return;
      }
      if (fault != PlantedFault.HANDLED_BEFORE_THE_COMMIT) {
        envelope.origin().hold();
      }
      arriving.add(envelope);
    }

    private void handleOne() {
      Envelope oldest = arriving.poll();
      if (oldest != null) {
        arrived.add(oldest.stanza());
        if (fault != PlantedFault.HANDLED_BEFORE_THE_COMMIT) {
          oldest.origin().release();
        }
        server.workers.runAll();
      }
    }

    private void kill() {
      arriving.clear();
      for (LossyConnection connection : List.copyOf(connections)) {
        boolean sends = connection.isSender(server);
        if (!sends && random.nextBoolean()) {
          connection.cut(true);
        } else {
          connection.breakOff(!sends, sends);
          connections.remove(connection);
        }
      }
      server = start();
      log = Objects.requireNonNull(started);
      server.sweep();
    }
  }

  /// A message that a user has sent.
  private static final class Sent implements Origin {
    private int held = 1;
    private boolean acknowledged;

    @Override
    public @Nullable Jid session() {
      return null;
    }

    @Override
    public long number() {
      return 1;
    }

    @Override
    public @Nullable InboundFlow flow() {
      return null;
    }

    @Override
    public boolean acknowledges() {
      return true;
    }

    @Override
    public void hold() {
      held++;
    }

    @Override
    public void release() {
      held--;
      acknowledged |= held == 0;
    }
  }

  private final PlantedFault fault;
  private final SplittableRandom random;
  private final SimulatedClock time = new SimulatedClock();
  private final List<LossyConnection> connections = new ArrayList<>();
  private final Map<String, Sent> sent = new HashMap<>();

  /// The ids in the errors that came back. A message has its body as id.
  private final List<String> errors = new ArrayList<>();

  /// By id, what has been delivered to a stream, of messages with their body as id.
  private final Map<String, Stanza> delivered = new HashMap<>();

  private @Nullable CommitLog started;
  private final Side verona;
  private final Side mantua;
  private boolean unreachable;
  private int count;
  int repeated;
  int resumed;

  /// Whether connections are cut, and nothing else goes wrong: then nothing comes twice.
  private boolean lossless;

  FederationSimulation(long seed, PlantedFault fault) {
    this.fault = fault;
    random = new SplittableRandom(seed);
    verona = new Side("verona.example", "mantua.example");
    mantua = new Side("mantua.example", "verona.example");
  }

  /// The same while servers live, and streams end only by being resumed.
  FederationSimulation lossless() {
    lossless = true;
    return this;
  }

  /// Runs `steps` steps, then lets everything come to rest and checks the promises to users.
  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      step();
    }
    unreachable = false;
    for (int i = 0; i < 2_000; i++) {
      settle(verona);
      settle(mantua);
      connections.forEach(connection -> {
        while (connection.move(false) || connection.move(true)) {
          // all of it
        }
      });
      if (i % 20 == 0) {
        time.advance(Duration.ofSeconds(5));
      }
    }
    check(verona, mantua);
    check(mantua, verona);
    assertThat(errors).doesNotHaveDuplicates();
    if (lossless) {
      assertThat(repeated).as("messages that came twice").isZero();
      assertThat(errors).isEmpty();
    }
  }

  private void settle(Side side) {
    side.log.flush();
    side.handleOne();
    connect(side);
    if (random.nextInt(50) == 0) {
      side.server.sweep();
    }
  }

  private void step() {
    Side side = random.nextBoolean() ? verona : mantua;
    int choice = random.nextInt(1_000);
    if (lossless && choice >= 960) {
      choice = 975;
    }
    if (choice < 250) {
      send(side);
    } else if (choice < 600) {
      if (!connections.isEmpty()) {
        connections.get(random.nextInt(connections.size())).move(random.nextBoolean());
      }
    } else if (choice < 750) {
      side.handleOne();
    } else if (choice < 880) {
      side.log.commitOne();
    } else if (choice < 930) {
      connect(side);
    } else if (choice < 960) {
      time.advance(Duration.ofMillis(random.nextInt(4_000)));
      side.server.sweep();
    } else if (choice < 970) {
      breakOne();
    } else if (choice < 985) {
      cutOne();
    } else if (choice < 995) {
      side.kill();
    } else if (choice < 998) {
      unreachable = !unreachable;
    } else {
      time.advance(Duration.ofMinutes(unreachable ? 6 : 1));
    }
  }

  private void send(Side side) {
    String body = side.domain.charAt(0) + "%06d".formatted(count++);
    Message message =
        Message.of(
            Message.Type.CHAT,
            Jid.of(USERS.get(random.nextInt(3)), side.domain, "home"),
            Jid.of(USERS.get(random.nextInt(3)), side.remote, null),
            random.nextInt(10) == 0 ? null : body,
            List.of(Element.builder(Namespaces.CLIENT, "body").text(body).build()));
    Sent origin = new Sent();
    if (message.id() != null) {
      sent.put(body, origin);
    }
    side.server.send(message, origin);
    origin.release();
  }

  /// The outcome of an attempt, if one was asked for.
  private void connect(Side side) {
    if (side.server.attempts.size() == side.attempts) {
      return;
    }
    side.attempts = side.server.attempts.size();
    if (unreachable || random.nextInt(4) == 0) {
      side.server.domains.failed(
          side.pair(), new ServerStreamFailure(Reason.UNREACHABLE, "the simulation"));
      side.server.workers.runAll();
      return;
    }
    connections.removeIf(LossyConnection::isOver);
    for (LossyConnection interrupted : List.copyOf(connections)) {
      if (interrupted.isSender(side.server) && interrupted.isCut() && !resume(side, interrupted)) {
        return;
      }
      if (interrupted.isSender(side.server) && connections.contains(interrupted)) {
        return;
      }
    }
    Side other = side.equals(verona) ? mantua : verona;
    LossyConnection connection =
        new LossyConnection(side.server, other.server, side.pair(), fault, this::isFirstDelivery);
    connections.add(connection);
    connection.open();
    if (fault == PlantedFault.DELIVERED_AFTER_THE_ERROR) {
      errors.stream()
          .map(delivered::get)
          .filter(Objects::nonNull)
          .filter(stanza -> Objects.requireNonNull(stanza.to()).domain().equals(side.remote))
          .findFirst()
          .ifPresent(connection::deliverAgain);
    }
  }

  /// A sender who has got an error for a message may send it again; it must not come twice then.
  private boolean isFirstDelivery(Stanza stanza) {
    String id = String.valueOf(stanza.id());
    assertThat(errors).as("errors for messages that are delivered").doesNotContain(id);
    return delivered.putIfAbsent(id, stanza) == null;
  }

  /// Resumes a stream, or learns that it cannot be resumed, and opens another one then; false if
  /// the attempt failed.
  private boolean resume(Side side, LossyConnection interrupted) {
    if (interrupted.isForgotten() || (!lossless && random.nextInt(8) == 0)) {
      interrupted.refuse();
      connections.remove(interrupted);
      return true;
    }
    long counted =
        connections.stream()
            .filter(each -> !each.equals(interrupted))
            .mapToLong(LossyConnection::counted)
            .findFirst()
            .orElse(0);
    if (interrupted.resume(counted)) {
      resumed++;
      return true;
    }
    side.server.domains.failed(
        side.pair(), new ServerStreamFailure(Reason.CLOSED, "still being stored"));
    side.server.workers.runAll();
    return false;
  }

  private void cutOne() {
    if (!connections.isEmpty()) {
      connections.get(random.nextInt(connections.size())).cut(false);
    }
  }

  private void breakOne() {
    if (!connections.isEmpty()) {
      connections.remove(random.nextInt(connections.size())).breakOff(true, true);
    }
  }

  /// What the users of one side may expect of the other.
  private void check(Side from, Side to) {
    Map<String, String> ids = new HashMap<>();
    Map<String, Set<String>> bodies = new HashMap<>();
    Set<String> all = new HashSet<>();
    for (Stanza stanza : to.arrived) {
      String body = RemoteServer.text(stanza);
      repeated += all.add(body) ? 0 : 1;
      String id = Objects.requireNonNull(stanza.id());
      assertThat(ids.putIfAbsent(body, id)).as("the id of a repeated message").isIn(null, id);
      bodies
          .computeIfAbsent(stanza.from() + " " + stanza.to(), key -> new LinkedHashSet<>())
          .add(body);
    }
    bodies.forEach((pair, received) -> assertThat(List.copyOf(received)).as(pair).isSorted());
    sent.forEach((body, origin) -> {
      if (origin.acknowledged && body.charAt(0) == from.domain.charAt(0)) {
        assertThat(all.contains(body) || errors.contains(body)).as("message " + body).isTrue();
      }
    });
    assertThat(from.server.domains.queuedBytes()).as("bytes queued at rest").isZero();
  }

  /// How many messages the users have sent that were acknowledged to them.
  long acknowledged() {
    return sent.values().stream().filter(origin -> origin.acknowledged).count();
  }

  /// How many were returned.
  int returned() {
    return errors.size();
  }
}
