package im.zonda.link.keeper;

import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
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
/// thread, from a seed. The home reads what it delivers from a log that is never lost.
final class KeeperSimulation implements StreamEnd {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  private final SplittableRandom random;
  private final List<String> faults = new ArrayList<>();
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

  private final List<Long> handled = new ArrayList<>();
  private @Nullable Home home;
  private @Nullable Wire wire;
  private final List<Wire> old = new ArrayList<>();
  private boolean open = true;

  /// The keeper has the state of the session.
  private boolean stated;

  private long logged;
  private int kills;
  private boolean calm;

  KeeperSimulation(long seed) {
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
    switch (random.nextInt(14)) {
      case 0 -> lose(random.nextInt(3) == 0);
      case 1 -> arrive();
      case 2, 3, 4 -> send();
      case 5, 6 -> acknowledge();
      case 7 -> keeper.tick();
      case 8, 9 -> deliver();
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
  private static Stanza stanza(long number) {
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

  private static long number(Stanza stanza) {
    return Long.parseLong(Objects.requireNonNull(stanza.id()));
  }

  // ---- wires

  /// Brings values both ways, each in order, until it is cut.
  private final class Wire implements SessionWire {
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
      Home here = home;
      if (here == null) {
        here = new Home();
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
      home = null;
    } else {
      home.on = null;
    }
    if (!kill && random.nextBoolean()) {
      keeper.receive(new ToStream.Moved(), cut);
    } else {
      keeper.lost(cut, kill);
    }
  }

  private void arrive() {
    if (!open) {
      open = true;
      keeper.update(false);
    }
  }

  private void deliver() {
    Home here = home;
    if (here != null && here.known) {
      if (random.nextInt(3) == 0) {
        here.deliverOne(0);
      }
      logged++;
      here.deliverLogged();
    }
  }

  // ---- the home

  /// A home that knows one session, or none.
  private final class Home {
    boolean known;
    boolean counts;
    @Nullable Wire on;
    long received;
    long confirmed;
    long next = 1;
    long acknowledged;
    final Deque<Stanza> unacknowledged = new ArrayDeque<>();

    void receive(ToSession value, Wire from) {
      switch (value) {
        case ToSession.Bind _ -> {
          known = true;
          on = from;
          from.out.add(new ToStream.Bound(JULIET, List.of(), null));
        }
        case ToSession.Enable _ -> {
          if (counts) {
            from.out.add(new ToStream.NotEnabled());
          } else {
            counts = true;
            from.out.add(new ToStream.Enabled("id", Duration.ofMinutes(5)));
            sendState(from);
            deliverLogged();
          }
        }
        case ToSession.Resume(var _, var _, var h, var _, var _, var _) -> resume(h, from);
        case ToSession.Recover(var lost) -> {
          rebuild(lost);
          resume(lost.counts().acknowledged(), from);
        }
        case ToSession.Received(var stanza, var number) -> received(stanza, number, from);
        case ToSession.Acknowledged(var h) -> {
          if (from.equals(on)) {
            forget(h);
          }
        }
        default -> {}
      }
    }

    private void sendState(Wire to) {
      to.out.add(new ToStream.State("state"));
    }

    private void received(Stanza stanza, long number, Wire from) {
      if (!from.equals(on)) {
        return;
      }
      if (number != received + 1) {
        faults.add(number + " received after " + received);
      }
      received = number;
      handled.add(number(stanza));
      if (calm || random.nextBoolean()) {
        confirmed = received;
        from.out.add(new ToStream.Handled(confirmed));
      }
      if (!calm && random.nextInt(5) == 0) {
        from.out.add(new ToStream.PauseReading());
        from.out.add(new ToStream.ResumeReading());
      }
    }

    private void forget(long h) {
      if (h > acknowledged + unacknowledged.size()) {
        faults.add(h + " acknowledged after " + acknowledged);
      }
      for (; acknowledged < h; acknowledged++) {
        unacknowledged.remove();
      }
    }

    private void resume(long h, Wire from) {
      if (!known || !counts || h < acknowledged) {
        from.out.add(new ToStream.SessionNotFound(null));
        return;
      }
      if (!calm && random.nextInt(4) == 0) {
        from.out.add(new ToStream.PauseReading());
        from.out.add(new ToStream.Unsettled());
        from.out.add(new ToStream.ResumeReading());
        return;
      }
      forget(h);
      on = from;
      from.out.add(new ToStream.Resumed(JULIET, received, h));
      long number = h;
      for (Stanza each : unacknowledged) {
        from.out.add(new ToStream.Deliver(each, ++number, false));
      }
      sendState(from);
      deliverLogged();
    }

    private void rebuild(LostSession lost) {
      known = true;
      counts = true;
      received = lost.counts().handled();
      acknowledged = lost.counts().acknowledged();
      String last = lost.lastIds().get(lost.jid().bare());
      next = last == null ? 1 : Long.parseLong(last) + 1;
      for (LostSession.Sent each : lost.unacknowledged()) {
        unacknowledged.add(each.stanza());
        next = Math.max(next, number(each.stanza()) + 1);
      }
    }

    void deliverLogged() {
      while (counts && on != null && next <= logged) {
        deliverOne(next++);
      }
    }

    void deliverOne(long id) {
      Wire to = on;
      if (counts && to != null) {
        Stanza stanza = stanza(id);
        unacknowledged.add(stanza);
        to.out.add(new ToStream.Deliver(stanza, acknowledged + unacknowledged.size(), false));
      }
    }
  }
}
