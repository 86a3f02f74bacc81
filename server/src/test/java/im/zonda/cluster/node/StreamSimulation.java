package im.zonda.cluster.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.port.NodeSetup;
import im.zonda.cluster.port.PlacementFence;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionVersion;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Streams of clients at the nodes of a cluster, directly or by an edge, whose homes move and whose
/// nodes are drained, leave and die, over a network that loses frames: in one thread, from a seed.
/// Each request of a client for a session is answered, and makes one session.
final class StreamSimulation {
  private static final int SEGMENTS = 4;
  private static final int NODES = 3;
  private static final int CLIENTS = 8;

  /// Homes work in one of this number of steps: requests wait in their mailboxes.
  private static final int SLOW_HOMES = 16;

  /// How long requests may wait while nothing is disturbed, in ms: much shorter than the patience
  /// of a keeper.
  private static final long ANSWERED = 20_000;

  private final SplittableRandom random;
  private final boolean forgets;
  private final boolean loses;
  private final List<String> faults = new ArrayList<>();
  private final List<Simulated> nodes = new ArrayList<>();
  private final List<Deque<Runnable>> work = new ArrayList<>();
  private final List<Placement> placements = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();
  private final Set<Member> draining = new HashSet<>();
  private long now;
  private long epoch = 1;
  private long incarnation = 1;
  private long lastId;
  private int answered;
  private boolean calm;

  /// @param forgets whether homes that leave forget requests in their mailboxes, which their
  ///   streams have to send again
  /// @param loses whether homes lose requests, which is a planted fault
  StreamSimulation(long seed, boolean forgets, boolean loses) {
    this.random = new SplittableRandom(seed);
    this.forgets = forgets;
    this.loses = loses;
    for (int i = 0; i < NODES; i++) {
      nodes.add(new Simulated(i));
    }
    place();
    nodes.forEach(Simulated::installAll);
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new Client(Jid.of("user" + i / 2 + "@example.org"), i % 2 == 0 ? "r" : null));
    }
  }

  // ---- what happens

  void act() {
    now += random.nextInt(60);
    switch (random.nextInt(18)) {
      case 0 -> place();
      case 1, 2 -> any(nodes).installNext();
      case 3 -> nodes.forEach(each -> each.node.tick());
      case 4, 5, 6 -> any(clients).go();
      case 7 -> {
        if (random.nextInt(3) == 0) {
          any(clients).changeCore();
        }
      }
      case 8 -> {
        if (random.nextInt(6) == 0) {
          changeMembers();
        }
      }
      default -> {
        for (int i = 0; i < 10; i++) {
          step();
        }
      }
    }
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private boolean step() {
    List<Deque<Runnable>> busy = new ArrayList<>();
    work.stream().filter(each -> !each.isEmpty()).forEach(busy::add);
    if (calm || random.nextInt(SLOW_HOMES) == 0) {
      nodes.forEach(each -> busy.addAll(each.homes.busy()));
    }
    if (busy.isEmpty()) {
      return false;
    }
    any(busy).remove().run();
    return true;
  }

  /// Ends the faults. Every client is to have its session soon.
  void rest() {
    calm = true;
    long until = now + ANSWERED;
    while (now < until) {
      nodes.forEach(Simulated::installAll);
      while (step()) {
        now++;
      }
      clients.forEach(Client::go);
      now += 500;
      nodes.forEach(each -> each.node.tick());
    }
    judge();
  }

  private void judge() {
    Set<String> attached = new HashSet<>();
    for (Simulated each : nodes) {
      attached.addAll(each.homes.attached());
    }
    for (Client client : clients) {
      if (!client.hasSession) {
        faults.add(client + " has no answer");
      } else if (!attached.remove(client.session)) {
        faults.add(client + " has a session without a stream: " + client.session);
      }
    }
    attached.forEach(session -> faults.add("no client knows " + session));
  }

  List<String> faults() {
    return faults;
  }

  int answered() {
    return answered;
  }

  // ---- members

  /// A node is drained, leaves, dies or joins.
  private void changeMembers() {
    epoch++;
    if (nodes.size() < NODES) {
      incarnation++;
      int missing = 0;
      while (isRunning("n" + missing)) {
        missing++;
      }
      nodes.add(new Simulated(missing));
      place();
      nodes.getLast().installAll();
      return;
    }
    Simulated victim = any(nodes);
    if (draining.contains(victim.member) || random.nextInt(3) == 0) {
      end(victim);
    } else {
      draining.clear();
      draining.add(victim.member);
    }
    place();
  }

  private boolean isRunning(String name) {
    return nodes.stream().anyMatch(each -> each.member.name().equals(name));
  }

  /// The process ends, and with it the streams of its clients.
  private void end(Simulated victim) {
    nodes.remove(victim);
    draining.remove(victim.member);
    work.remove(victim.tasks);
    work.remove(victim.inbound);
    clients.forEach(each -> each.lose(victim));
  }

  private void place() {
    List<Member> members = nodes.stream().map(each -> each.member).toList();
    List<Owners> owners = new ArrayList<>();
    for (int segment = 0; segment < SEGMENTS; segment++) {
      int home = random.nextInt(members.size());
      owners.add(
          new Owners(
              members.get(home),
              members.size() == 1 ? null : members.get((home + 1) % members.size())));
    }
    int version = placements.size() + 1;
    placements.add(new Placement(epoch, new Topology(version, members, owners), draining));
  }

  private final class Simulated {
    final Member member;
    final Node node;
    final SimulatedAccounts homes;
    final Deque<Runnable> tasks = new ArrayDeque<>();
    final Deque<Runnable> inbound = new ArrayDeque<>();
    int installed = placements.size();

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
                  () -> now,
                  PlacementFence.NONE));
      homes =
          new SimulatedAccounts(
              node::isHere,
              () -> "session" + ++lastId,
              new SimulatedAccounts.Faults(forgets, () -> loses && random.nextInt(10) == 0));
      node.start(homes);
    }

    void installNext() {
      if (installed < placements.size()) {
        // A node may miss a placement.
        install(installed + 1 + random.nextInt(placements.size() - installed));
      }
    }

    void installAll() {
      if (installed < placements.size()) {
        install(placements.size());
      }
    }

    private void install(int number) {
      installed = number;
      Placement next = placements.get(number - 1);
      if (next.isMember(member)) {
        node.installed(next);
      }
    }
  }

  private void carry(Member to, Frame frame) {
    if (!calm && random.nextInt(20) == 0) {
      return;
    }
    for (Simulated each : nodes) {
      if (each.member.equals(to)) {
        each.inbound.add(() -> each.node.received(List.of(frame)));
      }
    }
  }

  // ---- clients

  /// The stream of a client at a node, or at an edge by way of a node.
  private static final class ClientStream implements StreamEnd {
    final Client client;
    final Simulated at;
    final SessionEnd link;
    boolean ended;

    ClientStream(Client client, Simulated at) {
      this.client = client;
      this.at = at;
      this.link = at.node.ports().gate().apply(at.homes).open(this);
    }

    @Override
    public void receive(ToStream value) {
      if (!ended) {
        client.receive(value, this);
      }
    }

    @Override
    public boolean keepsState() {
      return false;
    }

    /// The connection is gone.
    void end(ToSession last) {
      if (!ended) {
        ended = true;
        link.receive(last);
        link.outputEnded();
      }
    }
  }

  private final class Client {
    private final Jid account;

    /// What it asks for; null to have one made.
    private final @Nullable String resource;

    private @Nullable ClientStream stream;

    /// The stream that the edge leaves once the session is on the other one.
    private @Nullable ClientStream former;

    private @Nullable String session;
    private long resumptions;
    private boolean hasSession;

    Client(Jid account, @Nullable String resource) {
      this.account = account;
      this.resource = resource;
    }

    @Override
    public String toString() {
      return account + "/" + resource;
    }

    /// Connects, or comes back.
    void go() {
      if (stream == null) {
        ask();
      } else if (!calm && hasSession && random.nextInt(3) == 0) {
        lose(stream.at);
      }
    }

    private void ask() {
      ClientStream next = new ClientStream(this, any(nodes));
      stream = next;
      String id = session;
      next.link.receive(
          id != null
              ? new ToSession.Resume(account, id, 0)
              : new ToSession.Bind(account, resource, null));
    }

    /// The edge of the client takes another core.
    void changeCore() {
      ClientStream from = stream;
      String id = session;
      if (from == null || id == null || !hasSession || former != null) {
        return;
      }
      former = from;
      hasSession = false;
      ClientStream next = new ClientStream(this, any(nodes));
      stream = next;
      next.link.receive(
          new ToSession.Resume(account, id, 0, true, new SessionVersion(resumptions, 0, 0)));
    }

    /// The client's stream ends if it is at that node.
    void lose(Simulated node) {
      ClientStream left = former;
      if (left != null && left.at.equals(node)) {
        endFormer();
      }
      ClientStream last = stream;
      if (last != null && last.at.equals(node)) {
        endFormer();
        stream = null;
        hasSession = false;
        if (nodes.contains(node)) {
          last.end(new ToSession.Lost());
        }
      }
    }

    private void endFormer() {
      ClientStream left = former;
      former = null;
      if (left != null && nodes.contains(left.at)) {
        left.end(new ToSession.Lost());
      }
    }

    void receive(ToStream value, ClientStream from) {
      if (!from.equals(stream)) {
        return;
      }
      switch (value) {
        case ToStream.Bound bound -> {
          session = Objects.requireNonNull(bound.enabled()).id();
          has(0);
        }
        case ToStream.Resumed resumed -> has(resumed.resumptions());
        case ToStream.NotBound _, ToStream.Unsettled _, ToStream.Close _, ToStream.CountTooHigh _ ->
            later(() -> {
              if (from.equals(stream)) {
                lose(from.at);
              }
            });
        case ToStream.SessionNotFound _ -> {
          session = null;
          later(() -> {
            if (from.equals(stream)) {
              lose(from.at);
            }
          });
        }
        default -> {}
      }
    }

    private void has(long newResumptions) {
      answered++;
      resumptions = newResumptions;
      hasSession = true;
      later(this::endFormer);
    }

    /// A stream does not call back into its session.
    private void later(Runnable task) {
      ClientStream on = stream;
      if (on != null) {
        on.at.tasks.add(task);
      }
    }
  }
}
