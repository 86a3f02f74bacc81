package im.zonda.link.keeper;

import im.zonda.jid.Jid;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// One stream with its keeper, and the home of its session, which moves and is killed: in one
/// thread, from a seed. The home reads what it delivers from a log that is never lost. After a kill
/// the next home may have an outdated copy of the session, and go on with it before the stream
/// comes.
final class KeeperSimulation implements StreamEnd {
  /// How a home decides whether its session can continue on the stream.
  enum Comparison {
    VERSION,
    /// A planted fault: stanzas that no stream was given count, too.
    SENT,
    /// A planted fault: the client's own stanzas do not count.
    NOT_HANDLED
  }

  static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  final Comparison comparison;
  final SplittableRandom random;
  final List<String> faults = new ArrayList<>();
  private final KeptBytes kept = new KeptBytes(1 << 20);
  private final SessionKeeper keeper;
  private long now;

  // ---- the client

  private final List<Long> read = new ArrayList<>();
  private boolean bound;
  private boolean managed;
  private long sent;

  /// The stream's thread is in the keeper.
  private boolean sending;

  private long delivered;
  private long acknowledged;
  private long told;
  private int pauses;
  private @Nullable ToStream closed;

  // ---- the cluster

  final List<Long> handled = new ArrayList<>();
  private @Nullable SimulatedHome home;
  private @Nullable Wire wire;
  private final List<Wire> old = new ArrayList<>();
  private boolean open = true;

  /// The keeper has the state of the session.
  private boolean stated;

  long logged;
  private int kills;

  /// How often a copy was outdated when the stream came.
  int outdated;

  boolean calm;

  /// A copy of the session at another node, which may be outdated.
  private SimulatedHome.@Nullable Copy copy;

  KeeperSimulation(long seed, Comparison comparison) {
    this.comparison = comparison;
    random = new SplittableRandom(seed);
    keeper =
        new SessionKeeper(
            new KeeperSettings(Duration.ofMinutes(1), kept, () -> now), this::connect);
    keeper.stream(() -> this);
    keeper.receive(new ToSession.Bind(JULIET.bare(), "balcony", null));
  }

  // ---- what happens

  void act() {
    now += random.nextInt(200);
    switch (random.nextInt(16)) {
      case 0 -> lose(random.nextInt(3) == 0);
      case 1 -> arrive();
      case 2, 3, 4 -> send();
      case 5, 6 -> acknowledge();
      case 7 -> keeper.tick();
      case 8, 9 -> deliver();
      case 10 -> copy();
      case 11 -> forget();
      default -> step();
    }
    if (managed && keeper.isWaiting() && pauses == 0 && closed == null) {
      faults.add("the client is read from without a session");
    }
  }

  /// Ends the faults and runs until nothing happens.
  void rest() {
    lose(false); // what the home has not said is known by the resumption
    calm = true;
    for (int round = 0; round < 50; round++) {
      arrive();
      while (step()) {
        now += 10;
      }
      now += 1_500;
      keeper.tick();
      acknowledge();
    }
    check();
  }

  private void check() {
    if (closed != null) {
      faults.add("closed: " + closed);
    }
    for (int i = 0; i < read.size(); i++) {
      if (read.get(i) != i + 1) {
        faults.add("has read " + read);
        break;
      }
    }
    if (read.size() != logged) {
      faults.add("has read " + read.size() + " of " + logged);
    }
    Set<Long> once = new HashSet<>();
    List<Long> first = handled.stream().filter(once::add).toList();
    if (first.size() != sent || !first.equals(first.stream().sorted().toList())) {
      faults.add(sent + " sent, handled " + handled);
    }
    if (kills == 0 && first.size() != handled.size()) {
      faults.add("handled twice without a kill: " + handled);
    }
    if (home != null && !home.unacknowledged.isEmpty()) {
      faults.add("not acknowledged: " + home.unacknowledged.size());
    }
    if (told != sent || pauses != 0 || kept.bytes().get() != 0) {
      faults.add(told + " told of " + sent + ", " + pauses + " pauses, " + kept.bytes() + " bytes");
    }
  }

  List<String> faults() {
    return faults;
  }

  long delivered() {
    return read.size();
  }

  // ---- the client

  @Override
  public void receive(ToStream value) {
    switch (value) {
      case ToStream.Deliver(var stanza, var number, var _, var _) -> {
        delivered++;
        if (number != delivered) {
          faults.add(number + " delivered in place of " + delivered);
        }
        if (number(stanza) > 0) {
          read.add(number(stanza));
        }
      }
      case ToStream.Handled(var h) -> {
        if (h < told || h > sent) {
          faults.add(h + " handled after " + told + " of " + sent);
        }
        told = h;
      }
      case ToStream.PauseReading _ -> pauses++;
      case ToStream.ResumeReading _ -> pauses--;
      case ToStream.Close _ -> closed = value;
      case ToStream.Enabled _ -> managed = true;
      case ToStream.Bound _ -> {
        bound = true;
        keeper.receive(new ToSession.Enable(true));
      }
      default -> faults.add("a stream gets " + value);
    }
    if (pauses < 0) {
      faults.add("resumed more often than paused");
    }
  }

  private void send() {
    // What has been read from the socket before a pause still comes.
    if (managed && closed == null && (pauses == 0 || random.nextInt(8) == 0)) {
      sent++;
      sending = true;
      keeper.receive(new ToSession.Received(stanza(sent), sent));
      sending = false;
    }
  }

  private void acknowledge() {
    if (managed && closed == null && acknowledged < delivered) {
      acknowledged =
          calm ? delivered : acknowledged + 1 + random.nextLong(delivered - acknowledged);
      keeper.receive(new ToSession.Acknowledged(acknowledged));
    }
  }

  /// A message of the log, or one that is not there if the number is 0.
  static Stanza stanza(long number) {
    if (number == 0) {
      return Message.of(Message.Type.HEADLINE, JULIET, JULIET, "0", List.of());
    }
    Element id =
        Element.builder(StanzaIds.NAME)
            .attribute("by", JULIET.bare().toString())
            .attribute("id", "" + number)
            .build();
    return Message.of(Message.Type.CHAT, JULIET, JULIET, "" + number, List.of(id));
  }

  static long number(Stanza stanza) {
    return Long.parseLong(Objects.requireNonNull(stanza.id()));
  }

  // ---- wires

  /// Brings values both ways, each in order, until it is cut.
  final class Wire implements SessionWire {
    final Deque<ToSession> in = new ArrayDeque<>();
    final Deque<ToStream> out = new ArrayDeque<>();

    @Override
    public void send(ToSession value) {
      if (!sending && value instanceof ToSession.Received && !calm && random.nextInt(4) == 0) {
        KeeperSimulation.this.send(); // the stream has a thread of its own
      }
      in.add(value);
    }

    @Override
    public boolean isFull() {
      return !calm && random.nextInt(10) == 0;
    }
  }

  private @Nullable SessionWire connect() {
    wire = open ? new Wire() : null;
    return wire;
  }

  private boolean step() {
    if (!old.isEmpty() && random.nextInt(3) == 0) {
      Wire late = old.get(random.nextInt(old.size()));
      if (!late.out.isEmpty()) {
        keeper.receive(late.out.remove(), late);
        return true;
      }
    }
    Wire on = wire;
    if (on == null || (on.in.isEmpty() && on.out.isEmpty())) {
      return false;
    }
    if (on.out.isEmpty() || (!on.in.isEmpty() && random.nextBoolean())) {
      SimulatedHome here = home;
      if (here == null) {
        here = new SimulatedHome(this);
        home = here;
      }
      here.receive(on.in.remove(), on);
    } else {
      ToStream value = on.out.remove();
      stated |= value instanceof ToStream.State;
      keeper.receive(value, on);
    }
    return true;
  }

  /// The home moves or is killed; another one is open at once or later.
  private void lose(boolean kill) {
    Wire cut = wire;
    if (cut == null || home == null || (bound && !managed) || (kill && managed && !stated)) {
      return; // without a session that can be recovered the stream ends, as it must
    }
    open = random.nextBoolean();
    old.add(cut);
    if (kill) {
      kills++;
      SimulatedHome.Copy left = random.nextBoolean() ? null : copy;
      home = left == null ? null : new SimulatedHome(this, left);
      copy = left; // what the next home does not have is gone
    } else {
      home.detach();
    }
    if (!kill && random.nextBoolean()) {
      keeper.receive(new ToStream.Moved(), cut);
    } else {
      keeper.lost(cut, kill);
    }
  }

  /// The home moves away and back before it has handled a request, and forgets it.
  private void forget() {
    Wire on = wire;
    if (on != null && on.in.removeIf(KeeperSimulation::isRequest)) {
      keeper.placed(on);
    }
  }

  private static boolean isRequest(ToSession value) {
    return value instanceof ToSession.Bind
        || value instanceof ToSession.Resume
        || value instanceof ToSession.Recover;
  }

  private void arrive() {
    if (!open) {
      open = true;
      keeper.update(false);
    }
  }

  /// The session of a home is copied to another node.
  private void copy() {
    SimulatedHome here = home;
    if (here != null && here.known && here.counts) {
      copy = here.copied();
    }
  }

  private void deliver() {
    SimulatedHome here = home;
    if (here != null && here.known) {
      if (random.nextInt(3) == 0) {
        here.deliverOne(0);
      }
      logged++;
      here.deliverLogged();
    }
  }
}
