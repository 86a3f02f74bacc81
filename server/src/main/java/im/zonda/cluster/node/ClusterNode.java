package im.zonda.cluster.node;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.cluster.edge.Edge;
import im.zonda.cluster.edge.EdgeOutput;
import im.zonda.cluster.edge.EdgeReply;
import im.zonda.cluster.epoch.Epoch;
import im.zonda.cluster.epoch.EpochOutput;
import im.zonda.cluster.frame.ClientUpdate;
import im.zonda.cluster.frame.Delivery;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.Origin;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.frame.SessionCopy;
import im.zonda.cluster.home.Directory;
import im.zonda.cluster.home.Home;
import im.zonda.cluster.home.HomeContext;
import im.zonda.cluster.home.HomeOutput;
import im.zonda.cluster.home.HomeState;
import im.zonda.cluster.home.Replicas;
import im.zonda.cluster.home.StoreRequest;
import im.zonda.cluster.link.Links;
import im.zonda.cluster.link.Outbox;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.rule.ProtocolRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One process of a cluster: its links, homes, edge and epoch. A state machine: inputs in, outputs
/// out, no thread, clock or randomness. Not safe for use by several threads.
public final class ClusterNode {
  private record Arrived(Member from, NodeValue value) {}

  private final Member self;
  private final ProtocolRules rules;
  private final Consumer<NodeOutput> out;
  private final Links links;
  private final Outbox outbox = new Outbox();
  private final Edge edge;
  private final Epoch epoch;
  private final Replicas replicas;
  private final Home[] homes;
  private final Directory directory;

  /// Values that this node has said to itself.
  private final Deque<Arrived> own = new ArrayDeque<>();

  private @Nullable Placement placement;

  /// While a placement is taken over, stanzas are not sent: the outbox sends all of them, in order.
  private boolean installing;

  private long tokens;

  /// What a node is started with.
  ///
  /// @param segments a power of two, the same at all nodes for ever
  /// @param patience how long a minority waits for a sign of life, in milliseconds
  public record Setup(int segments, long patience, Directory directory, ProtocolRules rules) {}

  /// @param replays what the incarnation before has left
  public ClusterNode(Member self, Setup setup, List<Replay> replays, Consumer<NodeOutput> out) {
    this.self = self;
    this.rules = setup.rules();
    this.out = out;
    this.directory = setup.directory();
    Output output = new Output();
    this.links = new Links(self, rules, (to, frame) -> out.accept(new NodeOutput.Send(to, frame)));
    this.edge = new Edge(self, rules, output);
    this.epoch = new Epoch(self, setup.patience(), rules, output);
    this.replicas = new Replicas(self, output);
    HomeContext context = new HomeContext(self, rules, directory, replicas, output);
    this.homes = new Home[setup.segments()];
    for (int segment = 0; segment < homes.length; segment++) {
      homes[segment] = new Home(segment, context);
    }
    for (Replay replay : replays) {
      outbox.add(replay.owner(), replay.stanza(), 0);
    }
  }

  /// Handles an input.
  ///
  /// @param now milliseconds that grow with time
  public void handle(NodeInput input, long now) {
    switch (input) {
      case NodeInput.TopologyChanged(var topology) -> epoch.topologyChanged(topology);
      case NodeInput.RowRead(var row) -> epoch.rowRead(row, now);
      case NodeInput.FrameArrived(var frame) -> receive(frame);
      case NodeInput.StoreAnswered(var answer) -> homes[answer.segment()].answer(answer);
      case NodeInput.SessionExpired(var owner, var session) ->
          homes[segmentOf(owner)].expire(session);
      case NodeInput.Ticked() -> {
        links.tick();
        epoch.tick();
      }
      case NodeInput.Leave() -> epoch.leave();
      case NodeInput.Bind(var connection, var owner, var session, var resource) ->
          edge.bind(connection, owner, session, resource);
      case NodeInput.Resume(var connection, var owner, var session, var h) ->
          edge.resume(connection, owner, session, h);
      case NodeInput.Received(var connection, var to, var stored, var bytes) ->
          edge.receive(connection, to, stored, bytes);
      case NodeInput.Acknowledged(var connection, var h) -> edge.acknowledged(connection, h);
      case NodeInput.Lost(var connection) -> edge.close(connection);
      case NodeInput.Ended(var connection) -> edge.end(connection);
      case NodeInput.CloseClients() -> edge.closeAll();
    }
    drain();
  }

  private void drain() {
    for (Arrived each = own.poll(); each != null; each = own.poll()) {
      receive(each.from(), each.value());
    }
  }

  private void receive(Frame frame) {
    for (NodeValue value : links.receive(frame)) {
      receive(frame.from(), value);
    }
  }

  private void receive(Member from, NodeValue value) {
    switch (value) {
      case NodeValue.ToHome toHome -> homes[segmentOf(toHome.owner())].receive(from, toHome);
      case NodeValue.Safe(var entry) -> safe(entry);
      case NodeValue.Detach detach -> edge.detach(detach);
      case NodeValue.Closed(_, var attachment) -> edge.closed(attachment);
      case NodeValue.Refused(_, var attachment, var reason) -> edge.refused(attachment, reason);
      case NodeValue.Witness(var refused) -> say(from, refused);
      case NodeValue.State(var copy) -> replicas.keep(from, segmentOf(copy.owner()), copy);
      case NodeValue.Update update -> replicas.update(from, update);
      case NodeValue.Drop(var session) -> replicas.drop(session);
      case NodeValue.Keep(var segment, var sessions) -> homes[segment].keep(sessions);
      case NodeValue.Collect(var segment) -> {
        for (SessionCopy copy : replicas.copies(segment)) {
          say(from, new NodeValue.Held(segment, copy));
        }
        say(from, new NodeValue.HeldEnd(segment));
      }
      case NodeValue.Held(var segment, var copy) -> homes[segment].held(copy);
      case NodeValue.HeldEnd(var segment) -> homes[segment].heldEnd(from);
      case NodeValue.Taken _,
          NodeValue.Copy _,
          NodeValue.Copies _,
          NodeValue.Copied _,
          NodeValue.Ask _,
          NodeValue.Answer _,
          NodeValue.Counted _,
          NodeValue.Opened _,
          NodeValue.Oldest _,
          NodeValue.FromStream _,
          NodeValue.FromSession _,
          NodeValue.Posted _,
          NodeValue.Removed _ ->
          throw new IllegalArgumentException("a value of im.zonda.node");
    }
  }

  private void safe(long id) {
    Outbox.Entry entry = outbox.remove(id);
    if (entry == null) {
      return;
    }
    Origin origin = entry.stanza().origin();
    if (entry.connection() != 0) {
      edge.safe(entry.connection(), origin.number());
    } else {
      homes[segmentOf(origin.source())].reached(origin.source(), origin.number());
    }
  }

  private int segmentOf(String owner) {
    return Placement.segmentOf(owner, homes.length);
  }

  private void say(Member to, NodeValue value) {
    if (to.equals(self)) {
      own.add(new Arrived(self, value));
    } else {
      links.send(to, value);
    }
  }

  private void toHome(NodeValue.ToHome value) {
    Placement current = placement;
    if (current != null) {
      say(current.home(segmentOf(value.owner())), value);
    }
  }

  private void route(Outbox.Entry entry) {
    if (installing) {
      return;
    }
    toHome(entry.route());
    if (rules.trimsWhenSent()) {
      own.add(new Arrived(self, new NodeValue.Safe(entry.id())));
    }
  }

  private void install(Placement next) {
    placement = next;
    own.clear();
    List<Frame> due = links.install(next);
    installing = true;
    for (Home home : homes) {
      home.install(next);
    }
    installing = false;
    outbox.removeIf(this::isReflectedElsewhere);
    if (rules.sendsAgain()) {
      outbox.entries().forEach(this::route);
    }
    edge.sayAgain();
    drain();
    due.forEach(this::receive);
  }

  /// A room's new home sends what has not reached all occupants.
  private boolean isReflectedElsewhere(Outbox.Entry entry) {
    String source = entry.stanza().origin().source();
    return entry.connection() == 0
        && directory.isRoom(source)
        && homes[segmentOf(source)].state() != HomeState.OWN;
  }

  private List<Replay> replays(Set<Member> survivors) {
    List<SessionCopy> copies = new ArrayList<>(replicas.copiesWithout(survivors));
    for (Home home : homes) {
      copies.addAll(home.copiesWithout(survivors));
    }
    List<Replay> replays = new ArrayList<>();
    for (SessionCopy copy : copies) {
      if (copy.resource() != null) {
        for (Delivery delivery : copy.queue()) {
          replays.add(replay(copy.owner(), delivery.stanza()));
        }
      }
    }
    return replays;
  }

  private static Replay replay(String owner, RoutedStanza stanza) {
    Origin origin = stanza.origin();
    String source = origin.source().startsWith("replay:") ? "" : "replay:";
    return new Replay(
        owner,
        new RoutedStanza(
            new Origin(source + origin.source(), origin.number()),
            stanza.stored(),
            stanza.bytes()));
  }

  // ---- what others see

  /// The placement in which this node acts; null before the first.
  public @Nullable Placement placement() {
    return placement;
  }

  /// The segments.
  public List<Home> homes() {
    return Collections.unmodifiableList(Arrays.asList(homes));
  }

  /// The copies that this node keeps of a segment.
  public List<SessionCopy> copies(int segment) {
    return replicas.copies(segment);
  }

  /// Whether a client of a session is attached here.
  public boolean isAttached(String session) {
    return edge.isAttached(session);
  }

  /// Whether nothing waits here for another node.
  public boolean isSettled() {
    for (Home home : homes) {
      if (!home.isSettled()) {
        return false;
      }
    }
    return outbox.size() == 0;
  }

  /// Whether the node may leave: it is home of nothing, keeps no copies and has nothing to send.
  public boolean holdsNothing() {
    for (int segment = 0; segment < homes.length; segment++) {
      HomeState state = homes[segment].state();
      if (state == HomeState.OWN || state == HomeState.GATED || !copies(segment).isEmpty()) {
        return false;
      }
    }
    return outbox.size() == 0;
  }

  /// The size of the longest queue of each kind: link, outbox, home, edge.
  public Sizes sizes() {
    int home = 0;
    for (Home each : homes) {
      home = Math.max(home, each.longest());
    }
    return new Sizes(links.longest(), outbox.size(), home, edge.longest());
  }

  /// The longest queues.
  public record Sizes(int link, int outbox, int home, int edge) {}

  private final class Output implements HomeOutput, EdgeOutput, EpochOutput {
    @Override
    public void send(Member to, NodeValue value) {
      say(to, value);
    }

    @Override
    public void toClient(ClientUpdate update) {
      edge.update(update);
    }

    @Override
    public void toStore(StoreRequest request) {
      out.accept(new NodeOutput.Store(request));
    }

    @Override
    public void reflect(String occupant, RoutedStanza stanza) {
      ClusterNode.this.route(outbox.add(occupant, stanza, 0));
    }

    @Override
    public long nextToken() {
      return ++tokens;
    }

    @Override
    public void toHome(NodeValue.ToHome value) {
      ClusterNode.this.toHome(value);
    }

    @Override
    public void route(String owner, RoutedStanza stanza, long connection) {
      ClusterNode.this.route(outbox.add(owner, stanza, connection));
    }

    @Override
    public void toStream(long connection, EdgeReply reply) {
      out.accept(new NodeOutput.ToStream(connection, reply));
    }

    @Override
    public void readRow() {
      out.accept(new NodeOutput.ReadRow());
    }

    @Override
    public void compareAndSet(long expected, ClusterRow next) {
      out.accept(new NodeOutput.CompareAndSet(expected, next));
    }

    @Override
    public void renew(long known) {
      out.accept(new NodeOutput.Renew(known));
    }

    @Override
    public void install(Placement next) {
      ClusterNode.this.install(next);
    }

    @Override
    public void suspend(boolean suspended) {
      out.accept(new NodeOutput.Suspend(suspended));
    }

    @Override
    public void excluded(ClusterRow row) {
      out.accept(new NodeOutput.Restart(replays(new HashSet<>(row.members()))));
    }

    @Override
    public void left() {
      out.accept(new NodeOutput.HasLeft());
    }
  }
}
