package im.zonda.testkit.server;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.FrameForm;
import im.zonda.cluster.frame.FrameFormatException;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.node.Node;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Nodes of a cluster in the test's process, over the same stores. Each client connects to another
/// node than the one before. The test says which nodes are members.
public final class TestCluster implements Stage, AutoCloseable {
  private static final int SEGMENTS = 16;
  private static final int MAX_BYTES = 16 << 20;

  private final ServerPlan plan;
  private final List<Member> members = new ArrayList<>();
  private final Map<Member, Node> nodes = new ConcurrentHashMap<>();
  private final Map<Member, TestServer> servers = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private long epoch;
  private int next;

  /// The home of each segment.
  private final List<Member> homes = new ArrayList<>();

  /// Nodes that are not members any more, to be closed in the end.
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
    return cluster;
  }

  private void add(Member member) throws IOException {
    Node.Setup setup = new Node.Setup(member, SEGMENTS, MAX_BYTES, this::send, threads);
    Node node = new Node(setup);
    TestServer server = TestServer.node(plan, stores, node);
    stores = stores == null ? server.stores() : stores;
    node.start(server.server().localHomes());
    members.add(member);
    nodes.put(member, node);
    servers.put(member, server);
  }

  private void send(Member to, Frame frame) {
    Node receiver = nodes.get(to);
    if (receiver != null && nodes.containsKey(frame.from())) {
      receiver.received(copy(frame));
    }
  }

  /// What is not in its bytes does not arrive.
  private static Frame copy(Frame frame) {
    try {
      return FrameForm.read(FrameForm.write(frame));
    } catch (FrameFormatException e) {
      throw new AssertionError("cannot be read: " + frame, e);
    }
  }

  /// Ends a node as if its process had died: from now on nothing comes from it, and it has no
  /// homes. The others go on.
  public void kill(Member member) {
    Node node = node(member);
    nodes.remove(member);
    node.exclude();
    TestServer server = server(member);
    members.remove(member);
    servers.remove(member);
    if (server.stores() == stores && dead.isEmpty() && server.ownsStores()) {
      dead.add(server);
      server.stopNetwork();
    } else {
      server.close();
    }
    install(members);
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
    Placement placement = new Placement(epoch, new Topology(epoch, members, owners));
    members.forEach(member -> node(member).installed(placement));
  }

  /// The node on which the home of an address is.
  public Member homeOf(String home) {
    return homes.get(Placement.segmentOf(home, SEGMENTS));
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
    return server(members.getFirst()).component(domain);
  }

  @Override
  public void advance(Duration step) {
    server(members.getFirst()).advance(step);
  }

  @Override
  public void close() {
    List<TestServer> last = new ArrayList<>(servers.values());
    last.sort(Comparator.comparing(TestServer::ownsStores));
    last.forEach(TestServer::close);
    dead.forEach(TestServer::close);
    threads.close();
  }
}
