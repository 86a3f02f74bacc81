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
import im.zonda.link.SessionVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Nodes whose homes change all the time, move, and are killed with their node, over a network that
/// loses frames, in one thread. A node is killed only when the others have recovered from the one
/// before.
///
/// A home that moves must have exactly what it had; one whose node was killed, at least what that
/// node's standbys had confirmed. One part is a session, and its state the session's version: of
/// two states of it, the replicas keep the one with the newer version.
final class ReplicaSimulation {
  private static final int SEGMENTS = 4;
  private static final int NODES = 4;
  private static final int HOMES = 6;
  private static final int KEYS = 4;
  private static final String SESSION = "session";

  private final SplittableRandom random;
  private final List<Simulated> nodes = new ArrayList<>();
  private final List<Placement> placements = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private final Map<Jid, Ledger> ledgers = new HashMap<>();
  private boolean lossy = true;
  private boolean recovered;
  private int restored;
  private int killed;
  private int changes;
  private int heard;

  /// What a home has been.
  private static final class Ledger {
    final List<Map<String, String>> states = new ArrayList<>(List.of(Map.of()));

    /// The last state that standbys have confirmed.
    int confirmed;

    /// The same of single parts, as listeners have learned it.
    final Map<String, Integer> heard = new HashMap<>();

    /// The node that had the home last.
    @Nullable Simulated holder;

    /// Whether that node was killed.
    boolean lost;

    Map<String, String> last() {
      return states.getLast();
    }

    /// Whether each part is a state that the home was in at or after the confirmed one.
    boolean allows(Map<String, String> found) {
      if (!lost) {
        return found.equals(last());
      }
      Set<String> keys = new HashSet<>(found.keySet());
      keys.addAll(states.get(confirmed).keySet());
      return keys.stream()
          .allMatch(key ->
              recent(key).stream().anyMatch(each -> Objects.equals(each.get(key), found.get(key))));
    }

    private List<Map<String, String>> recent(String key) {
      return states.subList(Math.max(confirmed, heard.getOrDefault(key, 0)), states.size());
    }

    /// Whether the session is older than the one that standbys have confirmed.
    boolean isOlder(Map<String, String> found) {
      return version(found).lacks(version(recent(SESSION).getFirst()));
    }
  }

  ReplicaSimulation(long seed) {
    random = new SplittableRandom(seed);
    for (int i = 0; i < HOMES; i++) {
      ledgers.put(home(i), new Ledger());
    }
    for (int i = 0; i < NODES; i++) {
      nodes.add(new Simulated(new Member("n" + i, 1)));
    }
    place();
    nodes.forEach(Simulated::installNext);
  }

  /// Does something.
  void act() {
    switch (random.nextInt(60)) {
      case 0 -> place();
      case 1, 2, 3, 4 -> any().installNext();
      case 5, 6, 7, 8, 9, 10, 11 -> change(home(random.nextInt(HOMES)));
      case 12, 13, 14, 15 -> nodes.forEach(each -> each.node.tick());
      case 16, 17, 18 -> probe();
      case 19, 20 -> {
        if (recovered) {
          kill(random.nextInt(NODES));
        }
      }
      default -> {
        for (int i = 0; i < 10; i++) {
          step();
        }
      }
    }
  }

  /// Ends the faults, waits until everything is confirmed, and kills one node after the other.
  void rest() {
    lossy = false;
    for (int number = 0; number < NODES; number++) {
      settle();
      for (int i = 0; i < HOMES; i++) {
        change(home(i)); // each is loaded, and so confirmed below
      }
      for (int i = 0; i < HOMES * KEYS; i++) {
        change(home(random.nextInt(HOMES)));
      }
      settle();
      if (!recovered) {
        faults.add("not everything is confirmed");
        return;
      }
      kill(number);
      ledgers.values().forEach(each -> each.lost = false); // all of it is confirmed
    }
    settle();
    for (int i = 0; i < HOMES; i++) {
      Jid home = home(i);
      nodes.stream().filter(each -> each.node.isHere(home)).forEach(each -> each.load(home));
    }
  }

  private void settle() {
    for (int round = 0; round < 20; round++) {
      nodes.forEach(Simulated::installAll);
      while (step()) {
        // until nothing happens
      }
      nodes.forEach(each -> each.node.tick());
    }
    probe();
    while (step()) {
      // until nothing happens
    }
  }

  List<String> faults() {
    return faults;
  }

  List<String> trace() {
    return trace;
  }

  int restored() {
    return restored;
  }

  int killed() {
    return killed;
  }

  int heard() {
    return heard;
  }

  private Simulated any() {
    return nodes.get(random.nextInt(NODES));
  }

  private static Jid home(int number) {
    return Jid.of("home" + number + "@example.org");
  }

  private static SessionVersion version(Map<String, String> state) {
    String text = state.get(SESSION);
    if (text == null) {
      return SessionVersion.FIRST;
    }
    List<Long> numbers = Stream.of(text.split(" ")).map(Long::valueOf).toList();
    return new SessionVersion(numbers.get(0), numbers.get(1), numbers.get(2));
  }

  private static String text(SessionVersion version) {
    return version.resumptions() + " " + version.sent() + " " + version.handled();
  }

  /// What the session's home makes of a version.
  private SessionVersion next(SessionVersion last) {
    return switch (random.nextInt(3)) {
      case 0 ->
          new SessionVersion(
              SessionVersion.nextResumption(last.resumptions(), placements.size()),
              last.sent(),
              last.handled());
      case 1 -> new SessionVersion(last.resumptions(), last.sent() + 1, last.handled());
      default -> new SessionVersion(last.resumptions(), last.sent(), last.handled() + 1);
    };
  }

  private boolean step() {
    List<Deque<Runnable>> busy = new ArrayList<>();
    for (Simulated each : nodes) {
      if (!each.tasks.isEmpty()) {
        busy.add(each.tasks);
      }
      if (!each.inbound.isEmpty()) {
        busy.add(each.inbound);
      }
    }
    if (busy.isEmpty()) {
      return false;
    }
    busy.get(random.nextInt(busy.size())).remove().run();
    return true;
  }

  private void place() {
    List<Member> members = nodes.stream().map(each -> each.member).toList();
    List<Owners> owners = new ArrayList<>();
    for (int segment = 0; segment < SEGMENTS; segment++) {
      owners.add(owners(members, segment));
    }
    long number = placements.size() + 1L;
    trace.add("placement " + number + " " + owners);
    placements.add(new Placement(number, new Topology(number, members, owners)));
  }

  /// The same owners as before, another standby, or others.
  private Owners owners(List<Member> members, int segment) {
    Placement before = placements.isEmpty() ? null : placements.getLast();
    int home = before == null ? -1 : members.indexOf(before.home(segment));
    int standby = before == null ? -1 : members.indexOf(before.standby(segment));
    int kind = random.nextInt(4);
    if (home < 0 || kind == 0) {
      home = standby >= 0 && random.nextBoolean() ? standby : random.nextInt(NODES);
    }
    if (standby < 0 || standby == home || kind == 1) {
      standby = (home + 1 + random.nextInt(NODES - 1)) % NODES;
    }
    return new Owners(members.get(home), members.get(standby));
  }

  private void change(Jid home) {
    for (Simulated each : nodes) {
      if (each.node.isHere(home)) {
        each.change(home);
      }
    }
  }

  private void kill(int number) {
    Simulated dying = nodes.get(number);
    trace.add("kill " + dying.member);
    recovered = false;
    killed++;
    dying.dead = true;
    for (Ledger each : ledgers.values()) {
      each.lost |= dying.equals(each.holder);
    }
    Member next = new Member(dying.member.name(), dying.member.incarnation() + 1);
    nodes.set(number, new Simulated(next));
    place();
  }

  /// Asks all nodes whether everything is confirmed.
  private void probe() {
    Set<Simulated> settled = new HashSet<>();
    int installed = placements.size();
    for (Simulated each : nodes) {
      each.node.findCopies(status -> {
        if (!status.settled() || each.dead) {
          return;
        }
        each.loaded.keySet().stream()
            .filter(each.node::isHere)
            .map(this::ledger)
            .forEach(ledger -> ledger.confirmed = ledger.states.size() - 1);
        if (each.installed == installed && placements.size() == installed) {
          settled.add(each);
          recovered |= settled.size() == NODES && nodes.contains(each) && everyHomeIsThere();
        }
      });
    }
  }

  private boolean everyHomeIsThere() {
    return ledgers.keySet().stream()
        .allMatch(home -> nodes.stream().anyMatch(each -> each.node.isHere(home)));
  }

  private Ledger ledger(Jid home) {
    Ledger ledger = ledgers.get(home);
    if (ledger == null) {
      throw new IllegalStateException("no home " + home);
    }
    return ledger;
  }

  private void carry(Simulated from, Member to, Frame frame) {
    if (from.dead || (lossy && random.nextInt(20) == 0)) {
      return;
    }
    trace.add(to + " <- " + frame);
    for (Simulated each : nodes) {
      if (each.member.equals(to)) {
        each.inbound.add(() -> each.node.received(List.of(frame)));
      }
    }
  }

  /// A node with its homes.
  private final class Simulated extends NoHomes {
    final Member member;
    final Deque<Runnable> tasks = new ArrayDeque<>();
    final Deque<Runnable> inbound = new ArrayDeque<>();
    final Map<Jid, Map<String, String>> loaded = new HashMap<>();
    final Node node;
    int installed;
    boolean dead;

    Simulated(Member member) {
      this.member = member;
      node =
          new Node(
              new NodeSetup(
                  member,
                  SEGMENTS,
                  1 << 16,
                  (to, frames, _) -> frames.forEach(frame -> carry(this, to, frame)),
                  task -> tasks.add(() -> runUnlessDead(task)),
                  () -> 0,
                  PlacementFence.NONE));
      node.start(this);
    }

    private void runUnlessDead(Runnable task) {
      if (!dead) {
        task.run();
      }
    }

    void installNext() {
      if (installed < placements.size()) {
        // A node may miss a placement, but not one in which it is no member.
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
        trace.add(member + " installs " + number);
        node.installed(next);
      }
    }

    /// The home as it is; empty if nothing has come with it.
    Map<String, String> load(Jid home) {
      Map<String, String> state = loaded.get(home);
      if (state == null) {
        state = new TreeMap<>();
        loaded.put(home, state);
        check(home, state);
      }
      return state;
    }

    private void check(Jid home, Map<String, String> state) {
      Ledger ledger = ledger(home);
      if (!ledger.allows(state) || ledger.isOlder(state)) {
        String fault =
            home
                + " is "
                + state
                + " at "
                + member
                + " instead of "
                + ledger.last()
                + " or since "
                + ledger.states.get(ledger.confirmed)
                + (ledger.lost ? ", lost" : "");
        trace.add(fault);
        faults.add(fault);
      }
      ledger.lost = false;
      ledger.holder = this;
      ledger.states.add(Map.copyOf(state));
    }

    void change(Jid home) {
      Map<String, String> state = load(home);
      Map<String, byte @Nullable []> parts = new LinkedHashMap<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        String key = "k" + random.nextInt(KEYS);
        if (random.nextInt(3) == 0) {
          state.remove(key);
          parts.put(key, null);
        } else {
          changes++;
          state.put(key, "" + changes);
          parts.put(key, ("" + changes).getBytes(StandardCharsets.UTF_8));
        }
      }
      String session = text(next(version(state)));
      state.put(SESSION, session);
      parts.put(SESSION, session.getBytes(StandardCharsets.UTF_8));
      trace.add(member + ": " + home + " is " + state);
      Ledger ledger = ledger(home);
      ledger.states.add(Map.copyOf(state));
      int number = ledger.states.size() - 1;
      node.copy(home, parts, kept -> heard(ledger, parts.keySet(), number, kept));
    }

    private void heard(Ledger ledger, Set<String> keys, int number, boolean kept) {
      trace.add(member + " hears " + keys + " of " + ledger.states.get(number) + " " + kept);
      if (!kept || !this.equals(ledger.holder)) {
        faults.add("there is a standby, and a home that has left has no listener");
      }
      heard++;
      keys.forEach(key -> ledger.heard.merge(key, number, Math::max));
    }

    @Override
    public List<HomePart> unload(Predicate<Jid> leaving) {
      List<HomePart> parts = new ArrayList<>();
      loaded.forEach((home, state) -> {
        if (leaving.test(home)) {
          state.forEach((key, value) ->
              parts.add(
                  new HomePart(
                      home, key, new StanzaBytes(value.getBytes(StandardCharsets.UTF_8)))));
        }
      });
      loaded.keySet().removeIf(leaving);
      return parts;
    }

    @Override
    public void restore(Jid home, Map<String, StanzaBytes> state) {
      restored++;
      Map<String, String> texts = new TreeMap<>();
      state.forEach((key, part) -> texts.put(key, part.text()));
      trace.add(member + ": " + home + " is restored: " + texts);
      loaded.put(home, texts);
      check(home, texts);
    }
  }
}
