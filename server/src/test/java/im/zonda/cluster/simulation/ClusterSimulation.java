package im.zonda.cluster.simulation;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.SessionCopy;
import im.zonda.cluster.home.Directory;
import im.zonda.cluster.home.Home;
import im.zonda.cluster.node.ClusterNode;
import im.zonda.cluster.node.NodeInput;
import im.zonda.cluster.node.Replay;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A whole cluster with its clients, network, engine and database, in one thread and in an order
/// that follows from a seed. The same seed is the same run.
///
/// Processes are killed, stand still and wake, are cut off in both directions or one, drain and
/// join; tables of owners change at a different moment for each node; frames are delayed and lost;
/// the database goes away; clients lose connections, resume at other nodes, log out and in, and
/// forget their sessions. A fault that the protocol does not promise to bear together with another
/// one waits until the cluster has recovered from that. The invariants are those of
/// `docs/cluster.md`.
final class ClusterSimulation {
  /// How long a process must stand still, or be cut off, until the engine notices.
  static final int DETECTION = 300;

  static final int SEGMENTS = 8;
  private static final int PATIENCE = 500;
  private static final int END = 30_000;

  private final Agenda agenda;
  private final ClusterLedger ledger;
  private final Network network;
  private final Engine engine;
  private final Database database;
  private final Invariants invariants;
  private final PlantedFault fault;
  private final ClusterNode.Setup setup;
  private final Map<String, SimulatedProcess> processes = new LinkedHashMap<>();
  private final List<SimulatedClient> clients = new ArrayList<>();
  private final List<String> users = new ArrayList<>();
  private final boolean logged;
  private final boolean rooms;
  private final boolean pairs;
  private final int actions;
  private long incarnations;
  private long numbers;
  private boolean ending;

  /// @param actions what is done to the cluster, at most
  ClusterSimulation(long seed, PlantedFault fault, int actions, boolean traced) {
    this.agenda = new Agenda(seed);
    this.ledger = new ClusterLedger(agenda, traced);
    this.network = new Network(agenda, this, fault.swapsFirstRoutes());
    this.engine = new Engine(agenda, this, SEGMENTS);
    this.database = new Database(agenda, ledger, fault.fences());
    this.fault = fault;
    this.actions = actions;
    int nodes = 2 + agenda.random.nextInt(agenda.oneIn(3) ? 4 : 2);
    this.logged = agenda.oneIn(5);
    this.pairs = nodes >= 4 && agenda.oneIn(2);
    this.rooms = !logged && !pairs;
    this.setup = new ClusterNode.Setup(SEGMENTS, PATIENCE, new Everybody(), fault.rules());
    this.invariants = new Invariants(agenda, ledger, database, processes.values());
    ledger.countCopies(message -> pairs ? null : invariants.problem(message));
    ledger.sessionsMayBeLost = logged || pairs;
    for (int node = 0; node < nodes; node++) {
      start("n" + node);
    }
    for (int user = 0; user < 4; user++) {
      users.add("user" + user);
      clients.add(new SimulatedClient("user" + user, "phone", user > 0, this));
    }
    clients.add(new SimulatedClient("user0", "desk", false, this));
  }

  private final class Everybody implements Directory {
    @Override
    public boolean isRoom(String owner) {
      return owner.startsWith("room");
    }

    @Override
    public List<String> occupants(String room) {
      return users;
    }

    @Override
    public boolean isLogged(String owner) {
      return logged;
    }
  }

  // ---- the parts

  Agenda agenda() {
    return agenda;
  }

  ClusterLedger ledger() {
    return ledger;
  }

  Network network() {
    return network;
  }

  Database database() {
    return database;
  }

  Invariants invariants() {
    return invariants;
  }

  boolean isEnding() {
    return ending;
  }

  long nextNumber() {
    return ++numbers;
  }

  // ---- processes

  private SimulatedProcess start(String name) {
    return start(name, List.of());
  }

  private SimulatedProcess start(String name, List<Replay> replays) {
    Member member = new Member(name, ++incarnations);
    ledger.note("start", member);
    SimulatedProcess process = new SimulatedProcess(member, setup, replays, this);
    processes.put(name, process);
    engine.join(member);
    return process;
  }

  private void kill(SimulatedProcess process) {
    ledger.note("kill", process);
    process.kill();
    invariants.lost();
    engine.notice(20, 150);
    if (agenda.oneIn(2)) {
      agenda.after(agenda.between(30, 1500), () -> startAgain(process));
    }
  }

  private void startAgain(SimulatedProcess dead) {
    if (processes.get(dead.member.name()) == dead) {
      start(dead.member.name());
    }
  }

  /// A process that the cluster has gone on without begins again.
  void restart(SimulatedProcess process, List<Replay> replays) {
    if (process.isAlive()) {
      ledger.note("restart", process);
      process.kill();
      invariants.lost();
      engine.leave(process.member);
      start(process.member.name(), replays);
    }
  }

  /// A process has left as planned.
  void stopped(SimulatedProcess process) {
    ledger.note("stopped", process);
    process.kill();
    invariants.lost();
    engine.leave(process.member);
    agenda.after(agenda.between(100, 500), () -> startAgain(process));
  }

  void arrive(String name, Member to, Frame frame) {
    SimulatedProcess process = processes.get(name);
    if (process != null && process.member.equals(to)) {
      Placement installed = process.node.placement();
      boolean early = installed == null || frame.stamp().compareTo(installed.stamp()) > 0;
      Frame arriving = fault == PlantedFault.NONE ? frame : fault.tamper(frame, early);
      process.input(new NodeInput.FrameArrived(arriving));
    }
  }

  void topologyChanged(Member member, Topology topology) {
    SimulatedProcess process = processes.get(member.name());
    if (process != null && process.member.equals(member)) {
      process.topologyChanged(topology);
    }
  }

  boolean isDead(Member member) {
    SimulatedProcess process = processes.get(member.name());
    return process == null || !process.member.equals(member) || !process.isAlive();
  }

  boolean isSeen(Member member) {
    SimulatedProcess process = processes.get(member.name());
    return process != null && process.member.equals(member) && process.isSeen();
  }

  boolean isDraining(Member member) {
    SimulatedProcess process = processes.get(member.name());
    return process != null && process.draining;
  }

  private List<SimulatedProcess> alive() {
    return processes.values().stream().filter(SimulatedProcess::isAlive).toList();
  }

  /// A process to which a client may connect.
  @Nullable SimulatedProcess anyProcess() {
    List<SimulatedProcess> candidates =
        alive().stream().filter(process -> !process.draining).toList();
    return candidates.isEmpty() ? null : candidates.get(agenda.random.nextInt(candidates.size()));
  }

  // ---- the run

  /// Runs it; a [ClusterLedger.Violation] says what went wrong.
  void run() {
    clients.forEach(client -> agenda.after(agenda.between(100, 400), client::connect));
    agenda.run(400);
    for (int action = 0; action < actions; action++) {
      act();
      agenda.run(agenda.between(1, 30));
    }
    end();
  }

  private void act() {
    SimulatedClient client = clients.get(agenda.random.nextInt(clients.size()));
    switch (agenda.random.nextInt(40)) {
      case 0 -> disturb();
      case 1 -> client.drop();
      case 2, 3 -> client.acknowledge();
      case 4 -> {
        if (agenda.oneIn(3)) {
          client.logOut();
        }
      }
      case 5 -> {
        if (agenda.oneIn(8)) {
          client.forgetSession();
        }
      }
      case 6 -> expire();
      default -> {
        boolean room = rooms && agenda.oneIn(3);
        String to = room ? "room" : users.get(agenda.random.nextInt(users.size()));
        int count = agenda.oneIn(100) ? 100 : 1 + agenda.random.nextInt(2);
        for (int i = 0; i < count; i++) {
          client.send(to, room);
        }
      }
    }
  }

  /// A session whose client has forgotten it has waited long enough.
  private void expire() {
    for (SimulatedProcess process : alive()) {
      for (Home home : process.node.homes()) {
        for (SessionCopy copy : home.sessions()) {
          boolean wanted = clients.stream().anyMatch(client -> copy.id().equals(client.session()));
          if (!wanted && copy.resource() != null && copy.attachment() == null) {
            process.input(new NodeInput.SessionExpired(copy.owner(), copy.id()));
          }
        }
      }
    }
  }

  private void disturb() {
    List<SimulatedProcess> alive = alive();
    if (alive.isEmpty()) {
      return;
    }
    SimulatedProcess process = alive.get(agenda.random.nextInt(alive.size()));
    switch (agenda.random.nextInt(7)) {
      case 0, 1 -> {
        if (logged || (isCalm() && alive.size() > 1)) {
          kill(process);
        }
      }
      case 2 -> {
        if (logged || isCalm()) {
          pause(process);
        }
      }
      case 3, 4 -> {
        if (isCalm() && alive.size() > 1) {
          cut(alive, process);
        }
      }
      case 5 -> takeDatabase();
      default -> {
        if (isCalm() && alive.size() > 1 && alive.stream().noneMatch(each -> each.draining)) {
          drain(process);
        }
      }
    }
  }

  private void pause(SimulatedProcess process) {
    ledger.note("pause", process);
    process.pause();
    long time = agenda.oneIn(2) ? agenda.between(20, DETECTION) : agenda.between(DETECTION, 2000);
    engine.notice(DETECTION, DETECTION + 50);
    SimulatedClient client = clients.get(agenda.random.nextInt(clients.size()));
    agenda.after(Math.max(0, time - 100), () -> client.move(process));
    agenda.after(
        time,
        () -> {
          ledger.note("wake", process);
          process.wake();
          engine.notice(10, 300);
        });
  }

  private void cut(List<SimulatedProcess> alive, SimulatedProcess process) {
    Set<String> side = new HashSet<>(Set.of(process.member.name()));
    if (pairs && alive.size() > 3) {
      SimulatedProcess other = alive.get(agenda.random.nextInt(alive.size()));
      side.add(other.member.name());
    }
    boolean out = !agenda.oneIn(4);
    boolean in = !out || !agenda.oneIn(3);
    ledger.note("cut", side + " out=" + out + " in=" + in);
    for (SimulatedProcess each : alive) {
      String name = each.member.name();
      for (String inside : side) {
        if (!side.contains(name) && out) {
          network.cut(inside, name);
        }
        if (!side.contains(name) && in) {
          network.cut(name, inside);
        }
      }
    }
    engine.notice(30, DETECTION);
    agenda.after(agenda.between(20, 2500), this::heal);
  }

  private void heal() {
    ledger.note("heal", "");
    network.heal();
    engine.notice(1, 100);
  }

  private void takeDatabase() {
    if (!database.isAway()) {
      ledger.note("database", "away");
      database.goAway(true);
      agenda.after(agenda.between(20, 1200), () -> database.goAway(false));
    }
  }

  private void drain(SimulatedProcess process) {
    ledger.note("drain", process);
    process.draining = true;
    process.input(new NodeInput.CloseClients());
    engine.rebalanceAll();
    leave(process);
  }

  private void leave(SimulatedProcess process) {
    if (!process.isAlive()) {
      return;
    }
    if (isCalm() && process.node.holdsNothing()) {
      process.input(new NodeInput.Leave());
    } else {
      agenda.after(50, () -> leave(process));
    }
  }

  // ---- the end

  private void end() {
    ending = true;
    network.heal();
    network.stopLosing();
    database.goAway(false);
    for (SimulatedProcess process : List.copyOf(processes.values())) {
      if (!process.isAlive()) {
        startAgain(process);
      } else if (process.isPaused()) {
        process.wake();
      }
    }
    engine.notice(1, 10);
    clients.forEach(SimulatedClient::logIn);
    long deadline = agenda.now() + END;
    int quiet = 0;
    while (quiet < 4) {
      clients.forEach(SimulatedClient::acknowledge);
      expire();
      agenda.run(60);
      quiet = isQuiet() ? quiet + 1 : 0;
      ledger.check(agenda.now() < deadline, "I6", this::describe);
    }
    ledger.checkEnd(clients);
  }

  private boolean isQuiet() {
    return isCalm()
        && database.isIdle()
        && clients.stream().allMatch(client -> client.isAttached() && client.isQuiet())
        && alive().stream().allMatch(process -> process.node.isSettled())
        && alive().stream()
            .flatMap(process -> process.node.homes().stream())
            .flatMap(home -> home.sessions().stream())
            .allMatch(copy -> copy.queue().isEmpty() || copy.resource() == null);
  }

  private String describe() {
    StringBuilder text = new StringBuilder("no rest; row " + database.row());
    for (SimulatedProcess process : processes.values()) {
      Placement placement = process.node.placement();
      text.append("\n ").append(process).append(process.isAlive() ? " alive " : " dead ");
      text.append(placement == null ? "" : placement.stamp() + " " + placement.members());
      text.append(' ').append(process.node.sizes()).append(process.node.isSettled());
      process.node.homes().forEach(home -> text.append(' ').append(home.state()));
    }
    clients.forEach(client -> text.append("\n ").append(client));
    return text.toString();
  }

  /// Whether the cluster has recovered from everything: the next fault is the first one.
  boolean isCalm() {
    List<SimulatedProcess> alive = alive();
    if (alive.isEmpty()
        || !network.isWhole()
        || alive.stream().anyMatch(SimulatedProcess::isPaused)) {
      return false;
    }
    Placement placement = alive.getFirst().node.placement();
    if (placement == null || !engine.isCalm(placement.members(), placement.stamp().topology())) {
      return false;
    }
    return placement.members().size() == alive.size()
        && alive.stream().allMatch(process -> placement.isMember(process.member))
        && alive.stream().allMatch(process -> process.actsIn(placement))
        && alive.stream()
            .flatMap(process -> process.node.homes().stream())
            .allMatch(Home::isSettled);
  }
}
