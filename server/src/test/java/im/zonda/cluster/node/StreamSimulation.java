package im.zonda.cluster.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.port.NodeSetup;
import im.zonda.cluster.port.PlacementFence;
import im.zonda.jid.Jid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
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

  /// The steps for which a node is cut off before another one is lost.
  private static final int CUT_OFF = 400;

  /// How long requests may wait while nothing is disturbed, in ms: much shorter than the patience
  /// of a keeper.
  private static final long ANSWERED = 20_000;

  final SplittableRandom random;
  private final Plan plan;
  final List<String> faults = new ArrayList<>();
  final List<Simulated> nodes = new ArrayList<>();
  private final List<Deque<Runnable>> work = new ArrayList<>();
  private final List<Placement> placements = new ArrayList<>();
  private final List<SimulatedClient> clients = new ArrayList<>();
  private final Set<Member> draining = new HashSet<>();

  /// A node that gets nothing from others: it does not learn which streams its clients have left.
  private @Nullable Member cutOff;

  private long now;
  private long epoch = 1;
  private long incarnation = 1;
  private long lastId;
  int answered;
  boolean calm;

  /// What is simulated beside losses and moves.
  ///
  /// @param forgets whether homes that leave forget requests in their mailboxes, which their
  ///   streams have to send again
  /// @param loses whether homes lose requests, which is a planted fault
  /// @param trustsAll whether homes recover sessions from streams that their clients have left,
  ///   which is another one
  /// @param tellsEarly whether clients learn of resumptions that a loss undoes, which is a third
  ///   one
  record Plan(boolean forgets, boolean loses, boolean trustsAll, boolean tellsEarly) {}

  StreamSimulation(long seed, Plan plan) {
    this.random = new SplittableRandom(seed);
    this.plan = plan;
    for (int i = 0; i < NODES; i++) {
      nodes.add(new Simulated(i));
    }
    place();
    nodes.forEach(Simulated::installAll);
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(
          new SimulatedClient(
              this, Jid.of("user" + i / 2 + "@example.org"), i % 2 == 0 ? "r" : null));
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
        if (random.nextInt(3) == 0) {
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

  <T> T any(List<T> all) {
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
    clients.forEach(SimulatedClient::endLeft);
    long until = now + ANSWERED;
    while (now < until) {
      nodes.forEach(Simulated::installAll);
      while (step()) {
        now++;
      }
      clients.forEach(SimulatedClient::go);
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
    for (SimulatedClient client : clients) {
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
    if (nodes.size() < NODES) {
      epoch++;
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
    replicate();
    cutOff(any(nodes));
    epoch++;
    Simulated victim = any(nodes);
    if (draining.contains(victim.member) || random.nextInt(3) == 0) {
      end(victim);
    } else {
      draining.clear();
      draining.add(victim.member);
    }
    place();
    for (SimulatedClient each : clients) {
      Simulated node = any(nodes);
      if (random.nextBoolean()) {
        each.leave(node);
      } else {
        each.lose(node);
      }
    }
  }

  private boolean isRunning(String name) {
    return nodes.stream().anyMatch(each -> each.member.name().equals(name));
  }

  /// Lets time pass until each home has a standby with everything: of a home that is lost with the
  /// only replica nothing is known. Clients come and go meanwhile.
  private void replicate() {
    Set<Member> busy = new HashSet<>();
    do {
      nodes.forEach(Simulated::installAll);
      for (Simulated each : nodes) {
        busy.add(each.member);
        each.node.status(status -> {
          if (status.arriving() + status.leaving() + status.moved() == 0) {
            busy.remove(each.member);
          }
        });
      }
      for (int i = 0; i < 200; i++) {
        step();
      }
      any(clients).go();
      now += 50;
      nodes.forEach(each -> each.node.tick());
    } while (!busy.isEmpty());
  }

  /// A node is cut off, and its clients resume at others.
  private void cutOff(Simulated node) {
    cutOff = node.member;
    clients.forEach(each -> each.leave(node));
    for (int i = 0; i < CUT_OFF; i++) {
      if (random.nextInt(10) == 0) {
        any(clients).go();
      }
      step();
    }
    cutOff = null;
  }

  /// The process ends, and with it the streams of its clients.
  private void end(Simulated victim) {
    nodes.remove(victim);
    draining.remove(victim.member);
    work.remove(victim.tasks);
    work.remove(victim.inbound);
    clients.forEach(each -> each.died(victim));
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

  final class Simulated {
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
              node,
              () -> "session" + ++lastId,
              new SimulatedAccounts.Faults(
                  plan.forgets(),
                  () -> plan.loses() && random.nextInt(10) == 0,
                  plan.trustsAll(),
                  plan.tellsEarly()));
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
    if (to.equals(cutOff) || (!calm && random.nextInt(20) == 0)) {
      return;
    }
    for (Simulated each : nodes) {
      if (each.member.equals(to)) {
        each.inbound.add(() -> each.node.received(List.of(frame)));
      }
    }
  }
}
