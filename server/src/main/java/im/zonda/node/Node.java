package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.link.Links;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.rule.ProtocolRules;
import im.zonda.jid.Jid;
import im.zonda.link.LinkForm;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.route.EnvelopeForm;
import im.zonda.route.EnvelopeFormatException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// This server as a node of a cluster.
///
/// A stanza for a home on another node is sent there, and its origin is held until that node says
/// that it has been handled. In each new placement, what has not been handled is sent again, in
/// order; a home that has taken it before does not take it twice. What is known only to a node that
/// dies may come twice.
///
/// Any thread may call the public methods; they return at once.
public final class Node implements Nodes {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  /// What a node is started with.
  ///
  /// @param segments a power of two, the same at all nodes for ever
  /// @param maxBytes the most bytes of one value
  /// @param workers runs what may block, each task on a thread of its own
  public record Setup(
      Member self, int segments, int maxBytes, NodeTransport transport, Executor workers) {}

  private final Setup setup;
  private final Member self;
  private final EnvelopeForm envelopes;
  private final Inbox inbox;
  private final Segments segments;
  private final AtomicLong lastLink = new AtomicLong();
  private @Nullable LocalHomes homes;

  // Confined to the inbox.
  private final Links links;
  private final ForwardedStanzas forwarded = new ForwardedStanzas();
  private final Questions questions = new Questions();
  private final ArrivedStanzas arrived = new ArrivedStanzas();
  private @Nullable RemoteLinks remote;
  private @Nullable Placement placement;

  /// Segments whose homes are being unloaded, with those who wait for that.
  private final Map<Integer, Set<Member>> leaving = new HashMap<>();

  /// State of homes that have left this node, by segment, until their new node has it.
  private final Map<Integer, List<StanzaBytes>> moved = new HashMap<>();

  /// What is being handed to its home.
  private volatile @Nullable Envelope delivered;

  private long toldOldest;

  /// A node without a placement: nothing is here.
  public Node(Setup setup) {
    this.setup = setup;
    this.self = setup.self();
    this.envelopes = new EnvelopeForm(setup.maxBytes());
    this.inbox = new Inbox(setup.workers());
    this.segments = new Segments(self, setup.segments());
    this.links =
        new Links(self, new ProtocolRules(), (to, frame) -> setup.transport().send(to, frame));
  }

  /// Connects the node with its homes; to be called once, before the first placement.
  public void start(LocalHomes local) {
    homes = local;
    remote = new RemoteLinks(new LinkForm(setup.maxBytes()), local, this);
  }

  private LocalHomes homes() {
    return Objects.requireNonNull(homes, "not started");
  }

  private RemoteLinks remote() {
    return Objects.requireNonNull(remote, "not started");
  }

  // ---- what the server asks

  @Override
  public boolean isHere(Jid home) {
    return segments.isHere(segmentOf(home));
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // an equal one is another one
  public boolean isDirect(Jid home, Envelope envelope) {
    return envelope == delivered ? isHere(home) : segments.isDirect(segmentOf(home));
  }

  private int segmentOf(Jid home) {
    return segmentOf(home.toString());
  }

  private int segmentOf(String home) {
    return Placement.segmentOf(home, segments.count());
  }

  @Override
  public void forward(Jid home, Envelope envelope) {
    StanzaBytes bytes = new StanzaBytes(envelopes.write(envelope));
    Origin origin = envelope.origin();
    origin.hold();
    String name = home.toString();
    segments.sent(segmentOf(name));
    boolean acknowledges = origin.acknowledges();
    inbox.submit(() ->
        route(
            forwarded.add(
                name,
                origin,
                entry ->
                    new NodeValue.Route(
                        entry,
                        name,
                        new RoutedStanza(
                            new im.zonda.cluster.frame.Origin(self.toString(), entry),
                            acknowledges,
                            bytes)))));
  }

  @Override
  public void find(Jid address, Consumer<Boolean> answer) {
    String owner = address.bare().toString();
    inbox.submit(() -> questions.add(owner, address.toString(), answer).forEach(this::ask));
  }

  @Override
  public void handled(Jid account, String session, long number) {
    String name = account.toString();
    segments.sent(segmentOf(name));
    inbox.submit(() ->
        route(
            forwarded.add(
                name, Origin.NONE, entry -> new NodeValue.Counted(entry, name, session, number))));
  }

  @Override
  public SessionGate gate(SessionGate local) {
    return stream -> new StreamLink(this, stream, local);
  }

  // ---- what the cluster says

  /// A placement is legal.
  public void installed(Placement next) {
    inbox.submit(() -> install(next));
  }

  /// A frame of another node has arrived.
  public void received(Frame frame) {
    inbox.submit(() -> {
      for (NodeValue value : links.receive(frame)) {
        receive(frame.from(), value);
      }
    });
  }

  /// To be called some times a second.
  public void tick() {
    inbox.submit(() -> {
      links.tick();
      Placement current = placement;
      long oldest = forwarded.oldest();
      if (current != null && oldest > toldOldest) {
        toldOldest = oldest;
        for (Member member : current.members()) {
          say(member, new NodeValue.Oldest(oldest));
        }
      }
    });
  }

  /// The cluster has gone on without this process: nothing is here any more, and nothing leaves it.
  public void exclude() {
    segments.close();
    inbox.submit(() -> {
      segments.close();
      placement = null;
    });
  }

  // ---- in the inbox

  @Nullable Placement placement() {
    return placement;
  }

  /// Sends a value to a member, which may be this node.
  void say(Member to, NodeValue value) {
    if (to.equals(self)) {
      receive(self, value);
    } else {
      links.send(to, value);
    }
  }

  private void route(ForwardedStanzas.Entry entry) {
    Placement current = placement;
    if (current != null) {
      say(current.home(segmentOf(entry.home())), entry.value());
    }
  }

  private void ask(NodeValue.Ask question) {
    Placement current = placement;
    if (current != null) {
      say(current.home(segmentOf(question.owner())), question);
    }
  }

  private void receive(Member from, NodeValue value) {
    switch (value) {
      case NodeValue.Route route -> toHome(from, route.owner(), route);
      case NodeValue.Ask question -> toHome(from, question.owner(), question);
      case NodeValue.Answer answer -> questions.answered(answer);
      case NodeValue.Counted counted -> toHome(from, counted.owner(), counted);
      case NodeValue.FromStream stream -> {
        if (from.equals(self) || remote().isNew(from, stream)) {
          toHome(from, stream.owner(), stream);
        }
      }
      case NodeValue.FromSession session -> remote().receive(from, session);
      case NodeValue.Safe(var entry) -> handled(entry);
      case NodeValue.Oldest(var entry) -> arrived.forget(from.toString(), entry);
      case NodeValue.Collect(var segment) -> collect(from, segment);
      case NodeValue.Taken taken -> arrived.takenBy(from, taken);
      case NodeValue.Moved(var segment, var state) -> segments.moved(segment, state);
      case NodeValue.Opened(var segment) -> moved.remove(segment);
      case NodeValue.HeldEnd(var segment) -> {
        Segments.Opening opening = segments.end(segment, from);
        if (opening != null) {
          open(segment, opening);
        }
      }
      default -> LOG.atError().addKeyValue("node", from).log("node_value_unknown");
    }
  }

  private void handled(long id) {
    ForwardedStanzas.Entry entry = forwarded.handled(id);
    if (entry != null && forwarded.taken(id)) {
      segments.taken(segmentOf(entry.home()));
    }
  }

  private void open(int segment, Segments.Opening opening) {
    opening.moved().forEach(homes()::restore);
    opening.arrived().forEach(each -> atHome(each.from(), each.value()));
    for (Member member : Objects.requireNonNull(placement).members()) {
      say(member, new NodeValue.Opened(segment));
    }
  }

  private void toHome(Member from, String owner, NodeValue value) {
    int segment = segmentOf(owner);
    if (segments.isHere(segment)) {
      atHome(from, value);
    } else {
      segments.await(segment, from, value);
    }
  }

  private void atHome(Member from, NodeValue value) {
    if (value instanceof NodeValue.Route route) {
      accept(from, route);
    } else if (value instanceof NodeValue.FromStream stream) {
      remote().deliver(from, stream);
    } else if (value instanceof NodeValue.Ask(long ask, String _, String address)) {
      homes()
          .find(
              Jid.of(address),
              exists -> inbox.submit(() -> say(from, new NodeValue.Answer(ask, exists))));
    } else if (value instanceof NodeValue.Counted(long entry, String owner, String id, long n)) {
      homes().handled(Jid.of(owner), id, n);
      say(from, new NodeValue.Safe(entry));
    }
  }

  private void accept(Member from, NodeValue.Route route) {
    String source = route.stanza().origin().source();
    long entry = route.entry();
    Collection<Member> members = Objects.requireNonNull(placement).members();
    switch (arrived.take(source, entry, segmentOf(route.owner()), members)) {
      case PENDING -> {}
      case HANDLED -> say(from, new NodeValue.Safe(entry));
      case NEW -> deliver(from, route, source);
    }
  }

  private void deliver(Member from, NodeValue.Route route, String source) {
    long entry = route.entry();
    Runnable handled =
        () ->
            inbox.submit(() -> {
              arrived.handled(source, entry);
              say(from, new NodeValue.Safe(entry));
            });
    List<NodeOrigin> made = new ArrayList<>(1);
    Envelope envelope;
    try {
      envelope =
          envelopes.read(
              route.stanza().bytes().array(),
              (session, number) -> {
                NodeOrigin origin =
                    new NodeOrigin(session, number, route.stanza().stored(), handled);
                made.add(origin);
                return origin;
              });
    } catch (EnvelopeFormatException e) {
      LOG.atError().addKeyValue("node", from).setCause(e).log("node_value_refused");
      handled.run();
      return;
    }
    try {
      delivered = envelope;
      homes().accept(envelope);
    } finally {
      delivered = null;
      if (from.equals(self) && forwarded.taken(entry)) {
        segments.taken(segmentOf(route.owner()));
      }
      if (made.isEmpty()) {
        handled.run();
      } else {
        made.getFirst().release();
      }
    }
  }

  // ---- links

  /// Opens a link from a stream of this node to a session on another one.
  ///
  /// @return its number
  long open(StreamEnd stream) {
    long link = lastLink.incrementAndGet();
    inbox.submit(() -> remote().open(link, stream));
    return link;
  }

  /// A stream of this node sends a value to a session on another node.
  void fromStream(long link, String owner, ToSession value) {
    StanzaBytes bytes = new StanzaBytes(LinkForm.write(value));
    boolean last = value instanceof ToSession.Ended || value instanceof ToSession.Lost;
    inbox.submit(() -> remote().fromStream(link, owner, bytes, last));
  }

  /// A session of this node sends a value to a stream on another node.
  void fromSession(Member to, long link, ToStream value) {
    StanzaBytes bytes = new StanzaBytes(LinkForm.write(value));
    inbox.submit(() -> remote().fromSession(to, link, bytes));
  }

  // ---- change of placement

  private void install(Placement next) {
    Placement before = placement;
    Map<Member, List<NodeValue>> again = new HashMap<>();
    if (before != null) {
      for (Member member : before.members()) {
        if (next.isMember(member) && !member.equals(self)) {
          again.put(member, again(links.unreceived(member), member, next));
        }
      }
    }
    placement = next;
    List<Frame> due = links.install(next);
    Set<Integer> left = segments.install(next);
    arrived.retain(next.members().stream().map(Member::toString).collect(Collectors.toSet()));
    again.forEach((member, values) -> values.forEach(value -> say(member, value)));
    remote().install(next);
    left.forEach(segment -> leaving.putIfAbsent(segment, new HashSet<>()));
    leaving.values().forEach(Set::clear);
    for (int segment : segments.gated()) {
      next.members().forEach(member -> say(member, new NodeValue.Collect(segment)));
    }
    if (!left.isEmpty()) {
      setup.workers().execute(() -> evict(left));
    }
    forwarded.entries().forEach(this::route);
    questions.unanswered().forEach(this::ask);
    for (Frame frame : due) {
      for (NodeValue value : links.receive(frame)) {
        receive(frame.from(), value);
      }
    }
  }

  /// What a member may not have received and must.
  private List<NodeValue> again(List<NodeValue> unreceived, Member member, Placement next) {
    List<NodeValue> again = new ArrayList<>(remote().carried(unreceived, member, next));
    for (NodeValue value : unreceived) {
      if (value instanceof NodeValue.Safe) {
        again.add(value);
      }
    }
    return again;
  }

  private void evict(Set<Integer> left) {
    List<MovedState> states = new ArrayList<>();
    try {
      states.addAll(homes().evict(home -> left.contains(segmentOf(home))));
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("homes_not_evicted");
    }
    inbox.submit(() -> {
      for (MovedState each : states) {
        moved.computeIfAbsent(segmentOf(each.home()), _ -> new ArrayList<>()).add(each.state());
      }
      for (int segment : left) {
        Set<Member> waiting = leaving.remove(segment);
        if (waiting != null) {
          waiting.forEach(member -> collect(member, segment));
        }
      }
    });
  }

  private void collect(Member from, int segment) {
    Set<Member> waiting = leaving.get(segment);
    if (waiting != null) {
      waiting.add(from);
      return;
    }
    if (!from.equals(self)) {
      arrived.takenIn(segment).forEach(taken -> say(from, taken));
    }
    for (StanzaBytes state : moved.getOrDefault(segment, List.of())) {
      say(from, new NodeValue.Moved(segment, state));
    }
    say(from, new NodeValue.HeldEnd(segment));
  }
}
