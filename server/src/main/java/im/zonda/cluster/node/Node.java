package im.zonda.cluster.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.channel.LocalMember;
import im.zonda.cluster.channel.NodeChannels;
import im.zonda.cluster.forward.ArrivedStanzas;
import im.zonda.cluster.forward.CrossingValues;
import im.zonda.cluster.forward.ForwardedStanzas;
import im.zonda.cluster.forward.PendingQueries;
import im.zonda.cluster.forward.RoutedStanzas;
import im.zonda.cluster.forward.StanzaForwarder;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.handover.Fencing;
import im.zonda.cluster.handover.HandOver;
import im.zonda.cluster.handover.Segments;
import im.zonda.cluster.handover.TakeOver;
import im.zonda.cluster.inbox.Inbox;
import im.zonda.cluster.inbox.SendBatch;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.message.NodeMessageNumbering;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.port.LocalHomes;
import im.zonda.cluster.port.NodeSetup;
import im.zonda.cluster.replica.CopyStatus;
import im.zonda.cluster.replica.ReplicaListener;
import im.zonda.cluster.replica.Replication;
import im.zonda.cluster.session.SessionChannels;
import im.zonda.cluster.session.StreamLink;
import im.zonda.cluster.session.Streams;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.metric.TimingCounts;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// This server as a node of a cluster.
///
/// A stanza for a home on another node is sent there, and its origin is held until that node
/// reports that it has been handled. In each new placement, unhandled stanzas are sent again, in
/// order; a home handles a stanza once. Whether a dead node has handled a stanza is looked up in
/// the message log.
///
/// Any thread may call the public methods; they return at once.
public final class Node implements ClusterView, StanzaForwarder, Replication, NodeMessage.Sender {
  private final NodeSetup setup;
  private final Member self;
  private final LocalMember member = new Local();
  private final CrossingValues crossing;
  private final Inbox inbox;
  private final Segments segments;
  private final Streams streams;
  private final SendBatch batch;
  private @Nullable LocalHomes homes;

  // Confined to the inbox.
  private final NodeChannels channels;
  private final OutgoingFrames outgoing;
  private final ForwardedStanzas forwarded = new ForwardedStanzas();
  private final PendingQueries queries = new PendingQueries();
  private final HandOver handOver;
  private final NodeMessageNumbering messages;
  private final Fencing fencing;
  private @Nullable SessionChannels remote;
  private @Nullable RoutedStanzas routed;

  /// Changed in the inbox; any thread may read it.
  private volatile @Nullable Placement placement;

  /// A node without a placement, and so without homes.
  public Node(NodeSetup setup) {
    this.setup = setup;
    this.self = setup.self();
    this.crossing = new CrossingValues(setup.maxBytes());
    this.outgoing = new OutgoingFrames(setup.transport());
    this.channels = new NodeChannels(self, outgoing::add);
    this.inbox = new Inbox(setup.workers(), () -> outgoing.leave(channels));
    this.batch = new SendBatch(inbox);
    TakeOver takeOver = new TakeOver(inbox, setup.clock(), begun -> homes().takingOver(begun));
    this.segments =
        new Segments(self, setup.segments(), setup.clock(), () -> homes().opening(), takeOver);
    this.streams = new Streams(setup.clock());
    this.handOver =
        new HandOver(
            member,
            segments,
            segment -> arrived().takenIn(segment),
            setup.workers(),
            inbox::submit,
            setup.maxBytes());
    this.messages =
        new NodeMessageNumbering(
            member, setup.maxBytes(), (from, post) -> homes().receive(from, post));
    this.fencing = new Fencing(member, setup, segments, inbox::submit);
  }

  /// Connects the node with its homes; to be called once, before the first placement.
  public void start(LocalHomes local) {
    homes = local;
    routed = new RoutedStanzas(member, setup, segments, inbox, local, forwarded);
    remote = new SessionChannels(member, segments, inbox, crossing, local, setup.maxBytes());
  }

  private LocalHomes homes() {
    return Objects.requireNonNull(homes, "not started");
  }

  private ArrivedStanzas arrived() {
    return routed().arrived();
  }

  private SessionChannels remote() {
    return Objects.requireNonNull(remote, "not started");
  }

  private RoutedStanzas routed() {
    return Objects.requireNonNull(routed, "not started");
  }

  // ---- what the server asks

  /// The ports for the server that has this node.
  public Nodes ports() {
    return new Nodes(this, this, this, this, local -> stream -> open(stream, local));
  }

  @Override
  public boolean isHere(Jid home) {
    return segments.isHere(segmentOf(home.toString()));
  }

  @Override
  public boolean isDirect(Jid home, Envelope envelope) {
    return routed().isBeingDelivered(envelope)
        ? isHere(home)
        : envelope.origin().age() == 0 && segments.isDirect(segmentOf(home.toString()));
  }

  private int segmentOf(String home) {
    return segments.of(home);
  }

  @Override
  public void forward(Jid home, Envelope envelope) {
    StanzaBytes bytes = crossing.write(envelope);
    if (bytes == null) {
      homes().reject(envelope, StanzaError.of(ErrorCondition.NOT_ACCEPTABLE));
      return;
    }
    Origin origin = envelope.origin();
    origin.hold();
    String name = home.toString();
    segments.sent(segmentOf(name));
    LongFunction<NodeValue> route = ForwardedStanzas.route(self, name, origin, bytes);
    batch.add(
        envelope.stanza().from(),
        () -> route(forwarded.add(name, origin, setup.clock().getAsLong(), route)));
  }

  @Override
  public void inBatch(Jid sender, Runnable forwards) {
    batch.run(sender, forwards);
  }

  @Override
  public void find(Jid address, Consumer<Boolean> answer) {
    String owner = address.bare().toString();
    inbox.submit(() -> queries.add(owner, address.toString(), answer).forEach(this::ask));
  }

  @Override
  public void handled(Jid account, String session, long number) {
    String name = account.toString();
    tell(name, entry -> new NodeValue.SessionHandled(entry, name, session, number));
  }

  @Override
  public void forget(Jid account) {
    String name = account.bare().toString();
    tell(name, entry -> new NodeValue.Removed(entry, name));
  }

  private void tell(String home, LongFunction<NodeValue> value) {
    segments.sent(segmentOf(home));
    inbox.submit(() -> route(forwarded.add(home, Origin.NONE, setup.clock().getAsLong(), value)));
  }

  @Override
  public boolean hasStandby(Jid home) {
    Placement current = placement;
    return current != null && current.standby(segmentOf(home.toString())) != null;
  }

  @Override
  public void copy(
      Jid home, Map<String, byte @Nullable []> parts, @Nullable ReplicaListener listener) {
    handOver.change(home.toString(), HandOver.bytes(parts), listener);
  }

  /// Reports the state of the replication to other nodes.
  ///
  /// @param answer called on a worker; must not block
  public void findCopies(Consumer<CopyStatus> answer) {
    inbox.submit(() -> answer.accept(handOver.status()));
  }

  /// Opens a link from a stream of this node to a session, wherever its home is.
  ///
  /// @param local opens links to sessions of this node
  SessionEnd open(StreamEnd stream, SessionGate local) {
    return new StreamLink(streams, remote(), segments, stream, local);
  }

  @Override
  public @Nullable Member homeOf(Jid home) {
    return homeOf(home.toString());
  }

  private @Nullable Member homeOf(String home) {
    Placement current = placement;
    return current == null ? null : current.home(segmentOf(home));
  }

  @Override
  public long awaitsSessions(Jid home) {
    return segments.awaitsSessions(segmentOf(home.toString()));
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public long epoch() {
    Placement current = placement;
    return current == null ? 0 : current.stamp().epoch();
  }

  @Override
  public Set<Member> members() {
    Placement current = placement;
    return current == null ? Set.of() : Set.copyOf(current.members());
  }

  @Override
  public void post(Member to, NodeMessage value) {
    inbox.submit(() -> messages.send(to, value));
  }

  @Override
  public void postToOthers(NodeMessage value) {
    inbox.submit(() -> messages.sendToOthers(value));
  }

  // ---- what the cluster says

  /// Installs a placement.
  public void installed(Placement next) {
    inbox.submit(() -> install(next));
  }

  /// The database has confirmed that this process is a member.
  public void confirmed() {
    streams.confirmed();
  }

  /// Frames of another node have arrived.
  public void received(List<Frame> frames) {
    List<Runnable> tasks = new ArrayList<>(frames.size());
    frames.forEach(frame -> tasks.add(() -> receive(frame)));
    inbox.run(tasks);
  }

  /// To be called a few times a second.
  public void tick() {
    homes().copyChanges();
    inbox.submit(() -> {
      channels.tick();
      streams.tick();
      routed().tick();
      Placement current = placement;
      fencing.tick();
      if (current != null && forwarded.hasNewOldest()) {
        long oldest = forwarded.oldest();
        current.members().forEach(member -> say(member, new NodeValue.Oldest(oldest)));
      }
    });
  }

  /// From the forwarding of stanzas until another node has confirmed that they are handled.
  public TimingCounts hops() {
    return forwarded.hops();
  }

  /// Reports what this node does, later.
  public void status(Consumer<NodeStatus> answer) {
    inbox.submit(() ->
        answer.accept(
            new NodeStatus(
                segments.here(),
                segments.gated().size(),
                handOver.leaving(),
                handOver.kept(),
                forwarded.size(),
                channels.waiting())));
  }

  /// The process was evicted: it has no homes, and sends nothing.
  public void evict() {
    segments.close();
    streams.close();
    inbox.submit(() -> {
      segments.close();
      handOver.close();
      placement = null;
      routed().leaveWaiting();
      queries.close();
    });
  }

  // ---- in the inbox

  /// What the parts of this node see of it.
  private final class Local implements LocalMember {
    @Override
    public Member self() {
      return self;
    }

    @Override
    public @Nullable Placement placement() {
      return placement;
    }

    @Override
    public void send(Member to, NodeValue value) {
      say(to, value);
    }
  }

  private void say(Member to, NodeValue value) {
    if (to.equals(self)) {
      receive(self, value);
    } else {
      channels.send(to, value);
    }
  }

  private void route(ForwardedStanzas.Entry entry) {
    Member home = homeOf(entry.home());
    if (home != null) {
      say(home, forwarded.value(entry, setup.clock().getAsLong(), this::isHere));
    }
  }

  private void ask(NodeValue.Ask question) {
    Member home = homeOf(question.owner());
    if (home != null) {
      say(home, question);
    }
  }

  private void receive(Frame frame) {
    for (NodeValue value : channels.receive(frame)) {
      if (placement != null) {
        receive(frame.from(), value);
      }
    }
  }

  private void receive(Member from, NodeValue value) {
    switch (value) {
      case NodeValue.Route route -> toHome(from, route);
      case NodeValue.Ask question -> toHome(from, question);
      case NodeValue.Answer answer -> queries.answered(answer);
      case NodeValue.SessionHandled counted -> toHome(from, counted);
      case NodeValue.Removed removed -> toHome(from, removed);
      case NodeValue.Posted posted -> messages.receive(from, posted, segments::awaitGate);
      case NodeValue.FromStream stream -> {
        if (from.equals(self) || remote().isNew(from, stream)) {
          toHome(from, stream);
        }
      }
      case NodeValue.FromSession session -> remote().receive(from, session);
      case NodeValue.Stored(var entry) -> handled(entry);
      case NodeValue.Oldest(var entry) -> arrived().forget(from.toString(), entry);
      case NodeValue.Collect(var segment) -> handOver.collect(from, segment);
      case NodeValue.AlreadyHandled taken -> arrived().takenBy(from, taken);
      case NodeValue.Copy copy when handOver.isHome(copy.segment()) ->
          segments.collected(from, copy);
      case NodeValue.Copy copy -> handOver.add(from, copy);
      case NodeValue.Copies all when handOver.isHome(all.segment()) ->
          segments.collected(from, all);
      case NodeValue.Copies all -> handOver.add(from, all);
      case NodeValue.Copied copied -> handOver.confirmed(from, copied);
      case NodeValue.Opened(var segment) -> handOver.opened(from, segment);
      case NodeValue.HeldEnd(var segment) -> {
        Segments.Opening opening = segments.end(segment, from);
        if (opening != null) {
          open(segment, opening);
        }
      }
    }
  }

  private void handled(long id) {
    ForwardedStanzas.Entry entry = forwarded.handled(id);
    if (entry != null && forwarded.taken(id)) {
      segments.taken(segmentOf(entry.home()));
    }
  }

  private void open(int segment, Segments.Opening opening) {
    handOver.restore(opening.state(), homes());
    segments.open(segment);
    opening.arrived().forEach(each -> atHome(each.from(), each.value()));
    handOver.open(segment, opening.state());
    streams.homesOpened();
    homes().opened();
  }

  private void toHome(Member from, NodeValue.ToHome value) {
    int segment = segmentOf(value.owner());
    if (segments.isHere(segment)) {
      atHome(from, value);
    } else {
      segments.await(segment, from, value);
    }
  }

  private void atHome(Member from, NodeValue.ToHome value) {
    switch (value) {
      case NodeValue.Route route ->
          routed().accept(from, route, Objects.requireNonNull(placement).members());
      case NodeValue.FromStream stream -> remote().deliver(from, stream);
      case NodeValue.Ask(long ask, String _, String address) ->
          homes()
              .find(
                  Jid.of(address),
                  exists -> inbox.submit(() -> say(from, new NodeValue.Answer(ask, exists))));
      case NodeValue.SessionHandled(long entry, String owner, String id, long number) -> {
        homes().handled(Jid.of(owner), id, number);
        say(from, new NodeValue.Stored(entry));
      }
      case NodeValue.Removed(long entry, String owner) -> {
        homes().forget(Jid.of(owner));
        say(from, new NodeValue.Stored(entry));
      }
      case NodeValue.Posted posted -> messages.deliver(from, posted);
    }
  }

  // ---- change of placement

  private void install(Placement next) {
    Placement before = placement;
    boolean memberLost = next.hasLostAnyOf(before);
    Map<Member, List<NodeValue>> again = SessionChannels.again(channels, before, self, next);
    if (memberLost) {
      forwarded.memberLost(setup.clock().getAsLong());
    }
    routed().leaveWaiting();
    placement = next;
    List<Frame> due = channels.install(next);
    List<Segments.Arrived> passed = new ArrayList<>();
    Set<Integer> left = segments.install(before, next, passed::addAll);
    messages.retain(next::isMember);
    homes().placed(Set.copyOf(next.members()));
    arrived().retain(next.members().stream().map(Member::toString).collect(Collectors.toSet()));
    again.forEach((member, values) -> values.forEach(value -> say(member, value)));
    remote().sendBack(passed);
    passed.forEach(each -> messages.sendBack(each.from(), each.value()));
    remote().install(next);
    streams.homesMoved(memberLost);
    handOver.install(next, left, homes());
    handOver.askAll(segments.gated(), next);
    fencing.raise(next);
    forwarded.entries().forEach(this::route);
    queries.unanswered().forEach(this::ask);
    due.forEach(this::receive);
  }
}
