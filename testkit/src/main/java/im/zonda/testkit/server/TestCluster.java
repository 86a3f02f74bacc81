package im.zonda.testkit.server;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.FrameCodec;
import im.zonda.cluster.frame.FrameFormatException;
import im.zonda.cluster.node.Node;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.port.NodeSetup;
import im.zonda.cluster.port.PlacementFence;
import im.zonda.cluster.replica.CopyStatus;
import im.zonda.storage.cache.CachedStores;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.scenario.Stage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Nodes of a cluster in the test's process, over the same stores. Each client connects to another
/// node than the one before. The test says which nodes are members.
public final class TestCluster implements Stage, AutoCloseable {
  private static final int SEGMENTS = 16;
  private static final int MAX_BYTES = 16 << 20;

  /// In ms.
  private static final long TICK = 100;

  private final ServerPlan plan;
  private final List<Member> members = new ArrayList<>();
  private final Map<Member, Node> nodes = new ConcurrentHashMap<>();
  private final Map<Member, TestServer> servers = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor();
  private volatile @Nullable Member mute;
  private volatile @Nullable Member deaf;

  /// The first error of a tick.
  private volatile @Nullable Throwable failed;

  private long epoch;
  private int next;

  /// The home of each segment.
  private final List<Member> homes = new ArrayList<>();

  /// Nodes that are no longer members, to be closed in the end.
  private final List<TestServer> dead = new ArrayList<>();

  private @Nullable CachedStores stores;

  private TestCluster(ServerPlan plan) {
    this.plan = plan;
  }

  /// Starts nodes, all members.
  ///
  /// @throws IOException if a port cannot be opened
  public static TestCluster start(ServerPlan plan, int size) throws IOException {
    TestCluster cluster = new TestCluster(plan);
    for (int i = 0; i < size; i++) {
      cluster.add(new Member("node" + i, 1));
    }
    cluster.install(cluster.members);
    var _ =
        cluster.ticks.scheduleWithFixedDelay(cluster::tickAll, TICK, TICK, TimeUnit.MILLISECONDS);
    return cluster;
  }

  /// An error of one tick costs that tick, as in the product, and in the end the test.
  private void tickAll() {
    for (Node node : nodes.values()) {
      try {
        node.tick();
      } catch (RuntimeException | Error e) {
        if (failed == null && nodes.containsValue(node)) {
          failed = e; // otherwise the node was killed meanwhile
        }
      }
    }
  }

  private void add(Member member) throws IOException {
    NodeSetup setup =
        new NodeSetup(
            member,
            SEGMENTS,
            MAX_BYTES,
            (to, frames, _) -> send(member, to, frames),
            threads,
            () -> System.nanoTime() / 1_000_000,
            PlacementFence.NONE);
    Node node = new Node(setup);
    TestServer server = TestServer.node(plan, stores, node.ports());
    stores = stores == null ? server.stores() : stores;
    node.start(server.server().localHomes());
    members.add(member);
    nodes.put(member, node);
    servers.put(member, server);
  }

  private void send(Member from, Member to, List<Frame> frames) {
    Node receiver = nodes.get(to);
    if (receiver != null && nodes.containsKey(from) && !isMute(from, to)) {
      receiver.received(frames.stream().map(TestCluster::copy).toList());
    }
  }

  private boolean isMute(Member from, Member to) {
    Member only = deaf;
    return from.equals(mute) && (only == null || only.equals(to));
  }

  /// What is not in its bytes does not arrive.
  private static Frame copy(Frame frame) {
    try {
      return FrameCodec.read(FrameCodec.write(frame));
    } catch (FrameFormatException e) {
      throw new AssertionError("cannot be read: " + frame, e);
    }
  }

  /// From now on nothing arrives from a member, which runs until it is killed.
  public void mute(Member member) {
    deaf = null;
    mute = member;
  }

  /// The same, for one other member alone.
  public void mute(Member member, Member to) {
    deaf = to;
    mute = member;
  }

  /// Ends a node as if its process had died: from now on nothing comes from it, and it has no
  /// homes. The other nodes evict it, and its standby opens its homes.
  public void kill(Member member) {
    kill(member, members.get((members.indexOf(member) + 1) % members.size()));
  }

  /// The same, with the homes coming to that member.
  public void kill(Member member, Member heir) {
    Node node = node(member);
    nodes.remove(member);
    node.evict();
    TestServer server = server(member);
    members.remove(member);
    servers.remove(member);
    server.kill();
    if (server.ownsStores()) {
      dead.add(server);
    } else {
      server.close();
    }
    homes.replaceAll(home -> home.equals(member) ? heir : home);
    install();
  }

  /// From now on the nodes do nothing of their own accord: what they copy some times a second stays
  /// as it is.
  public void stopTicks() {
    ticks.shutdown();
  }

  /// Has all nodes do what they do some times a second.
  public void tick() {
    nodes.values().forEach(Node::tick);
  }

  /// Waits until `parts` parts of the state of homes are replicated, and all are confirmed.
  ///
  /// @throws AssertionError if that takes too long
  public void awaitCopies(int parts) {
    long end = System.nanoTime() + ScriptedClient.PATIENCE.toNanos();
    CopyStatus last = new CopyStatus(0, false);
    while (last.parts() != parts || !last.settled()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("copies of " + parts + " parts instead of " + last);
      }
      last = new CopyStatus(0, true);
      for (Node node : nodes.values()) {
        node.tick();
        CompletableFuture<CopyStatus> answer = new CompletableFuture<>();
        node.findCopies(answer::complete);
        CopyStatus its = answer.join();
        last = new CopyStatus(last.parts() + its.parts(), last.settled() && its.settled());
      }
    }
  }

  /// Starts a node again, as a new member.
  ///
  /// @throws IOException if a port cannot be opened
  public Member restart(Member killed) throws IOException {
    Member member = new Member(killed.name(), killed.incarnation() + 1);
    add(member);
    install(members);
    return member;
  }

  /// Makes these the members, of which each is the home of as many segments.
  public void install(List<Member> next) {
    homes.clear();
    for (int segment = 0; segment < SEGMENTS; segment++) {
      homes.add(next.get(segment % next.size()));
    }
    install();
  }

  private void install() {
    List<Owners> owners = new ArrayList<>();
    for (Member home : homes) {
      int index = members.indexOf(home);
      Member standby = members.size() == 1 ? null : members.get((index + 1) % members.size());
      owners.add(new Owners(home, standby));
    }
    epoch++;
    Placement placement = new Placement(epoch, new Topology(epoch, List.copyOf(members), owners));
    members.forEach(member -> node(member).installed(placement));
  }

  /// The node on which the home of an address is.
  public Member homeOf(String home) {
    return homes.get(Placement.segmentOf(home, SEGMENTS));
  }

  /// Whether the home of an address stays where it is when a node is killed.
  public boolean staysWithout(Member killed, String home) {
    List<Member> left = members.stream().filter(each -> !each.equals(killed)).toList();
    int segment = Placement.segmentOf(home, SEGMENTS);
    return left.get(segment % left.size()).equals(homes.get(segment));
  }

  /// Moves the home of an address to the next node, and with it all others of its segment.
  public void move(String home) {
    int segment = Placement.segmentOf(home, SEGMENTS);
    int index = members.indexOf(homes.get(segment));
    homes.set(segment, members.get((index + 1) % members.size()));
    install();
  }

  /// Whether the homes of two addresses always move together.
  public static boolean moveTogether(String one, String other) {
    return Placement.segmentOf(one, SEGMENTS) == Placement.segmentOf(other, SEGMENTS);
  }

  /// The members.
  public List<Member> members() {
    return List.copyOf(members);
  }

  private Node node(Member member) {
    Node node = nodes.get(member);
    if (node == null) {
      throw new IllegalArgumentException("no node " + member);
    }
    return node;
  }

  /// The server of a node.
  public TestServer server(Member member) {
    TestServer server = servers.get(member);
    if (server == null) {
      throw new IllegalArgumentException("no node " + member);
    }
    return server;
  }

  private TestServer nextServer() {
    next++;
    return server(members.get(next % members.size()));
  }

  @Override
  public void accounts(Collection<String> addresses) {
    server(members.getFirst()).accounts(addresses);
  }

  @Override
  public ScriptedClient connect(String address) {
    return nextServer().connect(address);
  }

  @Override
  public ScriptedClient open(String address) {
    return nextServer().open(address);
  }

  @Override
  public ScriptedClient component(String domain) {
    return nextServer().component(domain);
  }

  @Override
  public void advance(Duration step) {
    server(members.getFirst()).advance(step);
  }

  @Override
  public void close() {
    ticks.shutdownNow();
    List<TestServer> last = new ArrayList<>(servers.values());
    last.sort(Comparator.comparing(TestServer::ownsStores));
    last.forEach(TestServer::close);
    dead.forEach(TestServer::close);
    threads.close();
    Throwable error = failed;
    if (error != null) {
      throw new AssertionError("a tick of a node has failed", error);
    }
  }
}
