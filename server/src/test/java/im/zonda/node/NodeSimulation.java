package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.module.Envelope;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Some nodes, their homes and a network that loses frames, in one thread. Homes keep numbers in
/// what stands for the database, and let go of a stanza some time after they have taken it.
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
  private final List<Origin> pending = new ArrayList<>();

  private final Map<String, Integer> sent = new HashMap<>();
  private int released;
  private int handled;
  private long version;
  private final List<Placement> placements = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private boolean lossy = true;

  NodeSimulation(long seed) {
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
      case 3, 4, 5 -> send(any(), random.nextInt(3), random.nextInt(HOMES));
      case 6 -> nodes.forEach(each -> each.node.tick());
      case 7 -> release();
      default -> {
        for (int i = 0; i < 10; i++) {
          step();
        }
      }
    }
  }

  /// Ends the faults and waits until nothing happens any more.
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
    int all = sent.values().stream().mapToInt(Integer::intValue).sum();
    if (released != all) {
      faults.add(released + " of " + all + " stanzas have been handled");
    }
  }

  List<String> faults() {
    return faults;
  }

  int handled() {
    return handled;
  }

  private Simulated any() {
    return nodes.get(random.nextInt(NODES));
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
      pending.remove(random.nextInt(pending.size())).release();
    }
  }

  private void place() {
    version++;
    List<Member> members = nodes.stream().map(each -> each.member).toList();
    List<Owners> owners = new ArrayList<>();
    for (int segment = 0; segment < SEGMENTS; segment++) {
      int home = random.nextInt(NODES);
      owners.add(new Owners(members.get(home), members.get((home + 1) % NODES)));
    }
    trace.add("placement " + version + " " + owners.stream().map(each -> each.home()).toList());
    placements.add(new Placement(1, new Topology(version, members, owners)));
  }

  private static Jid home(int number) {
    return Jid.of("home" + number + "@example.org");
  }

  /// A session of a node sends a stanza to a home, on whatever node that is.
  private void send(Simulated from, int session, int home) {
    if (from.paused.contains(session)) {
      return;
    }
    Jid to = home(home);
    Jid sender = Jid.of("s" + session + "@example.org/" + from.member.name());
    int number = sent.merge(sender + " " + to, 1, Integer::sum);
    Message message = Message.of(Message.Type.CHAT, sender, to, "" + number, List.of());
    Envelope envelope = new Envelope(message, new Sent(from, session, sender, number), null);
    if (from.node.isDirect(to, envelope)) {
      envelope.origin().hold();
      from.homes.accept(envelope);
      envelope.origin().release();
    } else {
      from.node.forward(to, envelope);
    }
  }

  /// A stanza of a session.
  private final class Sent implements Origin, InboundFlow {
    private final Simulated node;
    private final int session;
    private final Jid sender;
    private final long number;
    private int holds;

    Sent(Simulated node, int session, Jid sender, long number) {
      this.node = node;
      this.session = session;
      this.sender = sender;
      this.number = number;
    }

    @Override
    public Jid session() {
      return sender;
    }

    @Override
    public long number() {
      return number;
    }

    @Override
    public InboundFlow flow() {
      return this;
    }

    @Override
    public boolean acknowledges() {
      return true;
    }

    @Override
    public void hold() {
      holds++;
    }

    @Override
    public void release() {
      holds--;
      if (holds == 0) {
        released++;
      } else if (holds < 0) {
        faults.add("released more often than held: " + sender + " " + number);
      }
    }

    @Override
    public void pauseReading() {
      node.paused.add(session);
    }

    @Override
    public void resumeReading() {
      node.paused.remove(session);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Sent that && node == that.node && session == that.session;
    }

    @Override
    public int hashCode() {
      return session;
    }
  }

  /// A node with its homes.
  private final class Simulated {
    final Member member;
    final Node node;
    final TakingHomes homes = new TakingHomes(this);
    final Set<Integer> paused = new HashSet<>();
    int installed;

    Simulated(int number) {
      member = new Member("n" + number, 1);
      Deque<Runnable> tasks = new ArrayDeque<>();
      work.add(tasks);
      Deque<Runnable> incoming = new ArrayDeque<>();
      work.add(incoming);
      inbound = incoming;
      node =
          new Node(
              new Node.Setup(member, SEGMENTS, 1 << 16, NodeSimulation.this::carry, tasks::add));
      node.start(homes);
    }

    final Deque<Runnable> inbound;

    void installNext() {
      if (installed < placements.size()) {
        // A node may miss a placement.
        installed += 1 + random.nextInt(placements.size() - installed);
        trace.add(member + " installs " + installed);
        node.installed(placements.get(installed - 1));
      }
    }

    void installAll() {
      if (installed < placements.size()) {
        installed = placements.size();
        trace.add(member + " installs " + installed);
        node.installed(placements.getLast());
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
        each.inbound.add(() -> each.node.received(frame));
      }
    }
  }

  /// Homes that write down what they take.
  private final class TakingHomes implements LocalHomes {
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
      pending.add(envelope.origin());
    }

    @Override
    public List<MovedState> evict(Predicate<Jid> leaving) {
      List<MovedState> moved = new ArrayList<>();
      for (Jid home : List.copyOf(loaded.keySet())) {
        if (leaving.test(home) && loaded.get(home) == here) {
          loaded.remove(home);
          byte[] state = ("" + home).getBytes(StandardCharsets.UTF_8);
          moved.add(new MovedState(home, new StanzaBytes(state)));
        }
      }
      return moved;
    }

    @Override
    public void restore(StanzaBytes state) {
      Jid home = Jid.of(state.text());
      if (!here.node.isHere(home)) {
        faults.add(home + " has moved to " + here.member + ", where it is not");
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
