package im.zonda.cluster.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.port.NodeSetup;
import im.zonda.cluster.port.PlacementFence;
import im.zonda.cluster.replica.HomePart;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.store.ClusterLog;
import im.zonda.store.StanzaIdentity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Some nodes, their homes and a network that loses frames, in one thread. Homes store numbers in a
/// stand-in for the database, and release a stanza some time after they have accepted it. Nodes die
/// and come back: of the stanzas that a node has not released, the database has the first ones. The
/// sessions of a node that dies are recovered at another one, which sends unreleased stanzas again.
final class NodeSimulation {
  private static final int SEGMENTS = 4;
  private static final int NODES = 3;
  private static final int HOMES = 8;

  private final SplittableRandom random;
  private final List<Simulated> nodes = new ArrayList<>();
  private final List<Deque<Runnable>> work = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  /// What each home has taken, in order.
  private final Map<Jid, List<String>> database = new HashMap<>();

  /// The node that has each home loaded.
  private final Map<Jid, Simulated> loaded = new HashMap<>();

  /// Stanzas that homes work on.
  private final List<Taken> pending = new ArrayList<>();

  /// Of each stanza that the database has.
  private final Map<Taken, Long> origins = new HashMap<>();

  /// Nodes that have died and whose sessions have not been recovered.
  private final List<Simulated> dead = new ArrayList<>();

  private final Map<String, Integer> sent = new HashMap<>();
  private final boolean readsOrigins;
  private final boolean marksDoubt;
  private int again;
  private int handled;
  private int recognised;
  private long version;
  private long incarnation = 1;
  private final List<Placement> placements = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private boolean lossy = true;

  /// A stanza that a home has taken.
  private record Taken(Simulated at, Jid home, String line, Origin origin) {}

  /// @param readsOrigins whether the database finds origins; false is a planted fault
  /// @param marksDoubt whether recovered sessions mark their stanzas as possibly handled; false is
  ///   a planted fault
  NodeSimulation(long seed, boolean readsOrigins, boolean marksDoubt) {
    this.readsOrigins = readsOrigins;
    this.marksDoubt = marksDoubt;
    random = new SplittableRandom(seed);
    for (int i = 0; i < NODES; i++) {
      nodes.add(new Simulated(i));
    }
    place();
    nodes.forEach(Simulated::installNext);
  }

  /// Does something.
  void act() {
    switch (random.nextInt(12)) {
      case 0 -> place();
      case 1, 2 -> any().installNext();
      case 3, 4, 5 -> send(any(), random.nextInt(HOMES));
      case 6 -> nodes.forEach(each -> each.node.tick());
      case 7 -> release();
      case 8 -> {
        if (random.nextInt(5) == 0) {
          killOrRestart();
        }
      }
      default -> {
        for (int i = 0; i < 10; i++) {
          step();
        }
      }
    }
  }

  /// Ends the faults and runs until nothing happens.
  void rest() {
    lossy = false;
    for (int round = 0; round < 60; round++) {
      nodes.forEach(Simulated::installAll);
      while (step()) {
        release();
      }
      while (!pending.isEmpty()) {
        release();
      }
      nodes.forEach(each -> each.node.tick());
    }
    for (Simulated each : nodes) {
      each.sessions.judge();
    }
  }

  List<String> faults() {
    return faults;
  }

  int handled() {
    return handled;
  }

  /// How many stanzas recovered sessions have sent again.
  int again() {
    return again;
  }

  /// How many stanzas were not handled again because the database had them.
  int recognised() {
    return recognised;
  }

  /// A node dies, or the one that is dead comes back as another member.
  private void killOrRestart() {
    if (nodes.size() == NODES) {
      kill(any());
    } else {
      incarnation++;
      int missing = 0;
      while (isRunning("n" + missing)) {
        missing++;
      }
      nodes.add(new Simulated(missing));
    }
    place();
    nodes.getLast().installNext();
  }

  private boolean isRunning(String name) {
    return nodes.stream().anyMatch(each -> each.member.name().equals(name));
  }

  /// The database commits in order: of what the node has not released it has the first part.
  private void kill(Simulated victim) {
    trace.add(victim.member + " dies");
    nodes.remove(victim);
    work.remove(victim.tasks);
    work.remove(victim.inbound);
    loaded.values().removeIf(at -> at == victim);
    List<Taken> uncommitted = new ArrayList<>(victim.taken);
    int released = victim.flushed;
    for (int i = 0; i < uncommitted.size(); i++) {
      if (!pending.contains(uncommitted.get(i))) {
        released = Math.max(released, i + 1);
      }
    }
    int committed = released + random.nextInt(uncommitted.size() - released + 1);
    for (Taken each : uncommitted.subList(committed, uncommitted.size())) {
      trace.add("not committed: " + each.home + " " + each.line);
      database.getOrDefault(each.home, List.of()).remove(each.line);
      origins.remove(each);
      handled--;
    }
    pending.removeIf(each -> each.at == victim);
    dead.add(victim);
  }

  /// Makes the sessions of dead nodes again at a node that knows of that.
  private void adopt(Simulated heir) {
    Placement known = placements.get(heir.installed - 1);
    for (Simulated each : List.copyOf(dead)) {
      // A node has sessions only after all others have the placement in which it joined.
      if (heir.installed >= each.joined && !known.isMember(each.member)) {
        dead.remove(each);
        trace.add(heir.member + " has the sessions of " + each.member);
        for (SimulatedSessions.Sent stanza : heir.sessions.adopt(each.sessions)) {
          again++;
          send(heir, stanza);
        }
      }
    }
  }

  private Simulated any() {
    return nodes.get(random.nextInt(nodes.size()));
  }

  private boolean step() {
    List<Deque<Runnable>> busy = work.stream().filter(each -> !each.isEmpty()).toList();
    if (busy.isEmpty()) {
      return false;
    }
    busy.get(random.nextInt(busy.size())).remove().run();
    return true;
  }

  private void release() {
    if (!pending.isEmpty()) {
      pending.remove(random.nextInt(pending.size())).origin().release();
    }
  }

  private void place() {
    version++;
    List<Member> members = nodes.stream().map(each -> each.member).toList();
    List<Owners> owners = new ArrayList<>();
    for (int segment = 0; segment < SEGMENTS; segment++) {
      int home = random.nextInt(members.size());
      owners.add(new Owners(members.get(home), members.get((home + 1) % members.size())));
    }
    trace.add("placement " + version + " " + owners.stream().map(each -> each.home()).toList());
    placements.add(new Placement(1, new Topology(version, members, owners)));
  }

  private static Jid home(int number) {
    return Jid.of("home" + number + "@example.org");
  }

  /// A session of a node sends a stanza to a home, on whatever node that is.
  private void send(Simulated from, int home) {
    Jid sender = from.sessions.any(random);
    if (!from.sessions.isPaused(sender)) {
      Jid to = home(home);
      send(from, from.sessions.next(sender, to, sent.merge(sender + " " + to, 1, Integer::sum)));
    }
  }

  private void send(Simulated from, SimulatedSessions.Sent stanza) {
    Envelope envelope = new Envelope(stanza.message(), stanza, null);
    Jid to = stanza.to();
    if (from.node.isDirect(to, envelope)) {
      envelope.origin().hold();
      from.homes.accept(envelope);
      envelope.origin().release();
    } else {
      from.node.forward(to, envelope);
    }
  }

  /// A node with its homes.
  private final class Simulated {
    final Member member;
    final Node node;
    final TakingHomes homes = new TakingHomes(this);
    final SimulatedSessions sessions;
    final Deque<Runnable> tasks = new ArrayDeque<>();
    final Deque<Runnable> inbound = new ArrayDeque<>();

    /// What its homes have taken, in order.
    final List<Taken> taken = new ArrayList<>();

    /// How many of them are durable because homes have left.
    int flushed;

    int installed = placements.size();

    /// The placement in which it becomes a member.
    final int joined = placements.size() + 1;

    Simulated(int number) {
      member = new Member("n" + number, incarnation);
      work.add(tasks);
      work.add(inbound);
      node =
          new Node(
              new NodeSetup(
                  member,
                  SEGMENTS,
                  1 << 16,
                  (to, frames, _) -> frames.forEach(frame -> carry(to, frame)),
                  tasks::add,
                  () -> version,
                  PlacementFence.NONE));
      node.start(homes);
      sessions = new SimulatedSessions(member, marksDoubt, faults);
    }

    void installNext() {
      if (installed < placements.size()) {
        // A node may miss a placement.
        installed += 1 + random.nextInt(placements.size() - installed);
        trace.add(member + " installs " + installed);
        node.installed(placements.get(installed - 1));
        adopt(this);
      }
    }

    void installAll() {
      if (installed < placements.size()) {
        installed = placements.size();
        trace.add(member + " installs " + installed);
        node.installed(placements.getLast());
        adopt(this);
      }
    }
  }

  /// The last things that happened.
  List<String> trace() {
    return trace.subList(Math.max(0, trace.size() - 40_000), trace.size());
  }

  private void carry(Member to, Frame frame) {
    trace.add(to + " <- " + frame);
    if (lossy && random.nextInt(20) == 0) {
      return;
    }
    for (Simulated each : nodes) {
      if (each.member.equals(to)) {
        each.inbound.add(() -> each.node.received(List.of(frame)));
      }
    }
  }

  /// Homes that write down what they take.
  private final class TakingHomes extends NoHomes {
    private final Simulated here;

    TakingHomes(Simulated here) {
      this.here = here;
    }

    @Override
    public void accept(Envelope envelope) {
      Jid to = envelope.stanza().to();
      if (to == null) {
        throw new IllegalStateException("no home");
      }
      if (!here.node.isHere(to)) {
        faults.add(to + " is not on " + here.member);
      }
      Simulated before = loaded.putIfAbsent(to, here);
      if (before != null && before != here) {
        faults.add(to + " is on " + before.member + " and " + here.member);
      }
      String sender = String.valueOf(envelope.stanza().from());
      List<String> taken = database.computeIfAbsent(to, _ -> new ArrayList<>());
      long expected = taken.stream().filter(each -> each.startsWith(sender + " ")).count() + 1;
      String line = sender + " " + envelope.stanza().id();
      if (!line.equals(sender + " " + expected)) {
        faults.add(to + " has got " + line + " in place of " + expected);
      }
      taken.add(line);
      trace.add(here.member + ": " + to + " takes " + line);
      handled++;
      envelope.origin().hold();
      Taken one = new Taken(here, to, line, envelope.origin());
      pending.add(one);
      here.taken.add(one);
      Stanza stanza = envelope.stanza();
      origins.put(one, StanzaIdentity.at(envelope.origin().identity(), stanza.to(), stanza));
    }

    @Override
    public List<HomePart> unload(Predicate<Jid> leaving) {
      List<HomePart> moved = new ArrayList<>();
      here.flushed = here.taken.size();
      trace.add(here.member + " unloads homes, " + here.flushed + " are durable");
      for (Jid home : List.copyOf(loaded.keySet())) {
        if (leaving.test(home) && loaded.get(home) == here) {
          loaded.remove(home);
          byte[] state = ("" + home).getBytes(StandardCharsets.UTF_8);
          moved.add(new HomePart(home, "", new StanzaBytes(state)));
        }
      }
      return moved;
    }

    @Override
    public Map<Long, ClusterLog.Known> findOrigins(Set<Long> wanted, Duration age) {
      if (age.isZero()) {
        faults.add("no age");
      }
      Map<Long, ClusterLog.Known> found = new HashMap<>();
      origins.forEach((one, origin) -> {
        if (wanted.contains(origin) && isDurable(one)) {
          found.put(origin, new ClusterLog.Known(1, false));
        }
      });
      recognised += found.size();
      return readsOrigins ? found : Map.of();
    }

    private boolean isDurable(Taken one) {
      return !pending.contains(one) || one.at.taken.indexOf(one) < one.at.flushed;
    }

    @Override
    public void restore(Jid home, Map<String, StanzaBytes> state) {
      if (here.node.isHere(home)) {
        faults.add(home + " is at " + here.member + " before it has its state");
      } else if (!here.node.self().equals(here.node.homeOf(home))) {
        faults.add(home + " has moved to " + here.member + ", where it is not about to be");
      }
      loaded.put(home, here);
    }

    @Override
    public void find(Jid address, Consumer<Boolean> answer) {
      answer.accept(true);
    }

    @Override
    public void handled(Jid account, String session, long number) {
      throw new IllegalStateException("no session moves here");
    }

    @Override
    public void reject(Envelope envelope, StanzaError error) {
      throw new IllegalStateException("nothing is rejected here");
    }

    @Override
    public SessionEnd open(StreamEnd stream) {
      throw new IllegalStateException("no session is opened here");
    }
  }
}
