package im.zonda.cluster.session;

import im.zonda.cluster.Member;
import im.zonda.cluster.channel.LocalMember;
import im.zonda.cluster.channel.NodeChannels;
import im.zonda.cluster.forward.CrossingValues;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.handover.Segments;
import im.zonda.cluster.inbox.Inbox;
import im.zonda.cluster.placement.Placement;
import im.zonda.link.LinkCodec;
import im.zonda.link.LinkFormatException;
import im.zonda.link.LinkInput;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The links between streams and sessions on different nodes, both ends. Confined to the node's
/// inbox.
///
/// The values of all links from one node to another are numbered, over all placements, so that a
/// value that is repeated in the next placement is recognised.
public final class SessionChannels {
  private static final Logger LOG = LoggerFactory.getLogger(SessionChannels.class);

  /// The most ended links that may still report written bytes ([ToSession.Written]).
  private static final int ENDED = 1_000;

  /// Sessions that are notified of the loss of their streams in one task.
  private static final int PORTION = 16;

  private static final ToStream NO_CLUSTER =
      new ToStream.Close(StreamErrorCondition.SYSTEM_SHUTDOWN, "there is no cluster");
  private static final ToStream MOVED = new ToStream.Moved();
  private static final ToStream TOO_LARGE =
      new ToStream.Close(StreamErrorCondition.POLICY_VIOLATION, "the stanza is too large");
  private static final ToStream NOT_FOUND = new ToStream.SessionNotFound(null);
  private static final StanzaBytes LOST_BYTES =
      new StanzaBytes(LinkCodec.write(new ToSession.Lost()));
  private static final StanzaBytes ENDED_BYTES =
      new StanzaBytes(LinkCodec.write(new ToSession.Ended()));

  /// A link at the home, by the node of the stream.
  private record Key(Member node, long link) {}

  /// The stream of a link, and where its session is.
  private static final class Stream {
    final RemoteWire wire;
    @Nullable Member home;

    /// Whether the session ends with the link: the client has ended it, or does not know of it
    /// because a bind has no answer.
    boolean ends;

    Stream(RemoteWire wire) {
      this.wire = wire;
    }
  }

  /// The session of a link.
  private record Session(String owner, SessionEnd end) {}

  private static final class Ended<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > ENDED;
    }
  }

  private final LinkCodec form;
  private final SessionGate gate;
  private final LocalMember node;
  private final Segments segments;
  private final Inbox inbox;
  private final CrossingValues crossing;
  private final AtomicLong lastLink = new AtomicLong();
  private final Map<Long, Stream> streams = new HashMap<>();
  private final Map<Key, Session> sessions = new HashMap<>();
  private final Map<Long, Stream> endedStreams = new Ended<>();
  private final Map<Key, Session> endedSessions = new Ended<>();

  /// Sessions whose streams were on a lost node and that are to be notified.
  private final Queue<Session> lost = new ArrayDeque<>();

  /// Whether a task is scheduled that notifies them.
  private boolean notifying;

  private final Map<Member, Long> sent = new HashMap<>();
  private final Map<Member, Long> received = new HashMap<>();

  /// @param gate opens links to sessions of this node
  /// @param maxBytes the most bytes of one value
  public SessionChannels(
      LocalMember node,
      Segments segments,
      Inbox inbox,
      CrossingValues crossing,
      SessionGate gate,
      int maxBytes) {
    this.form = new LinkCodec(maxBytes);
    this.gate = gate;
    this.node = node;
    this.segments = segments;
    this.inbox = inbox;
    this.crossing = crossing;
  }

  // ---- at the stream

  /// Opens a link from a stream of this node to a session on another one. Any thread may call.
  ///
  /// @return its number
  long open(RemoteWire wire) {
    long link = lastLink.incrementAndGet();
    inbox.submit(() -> streams.put(link, new Stream(wire)));
    return link;
  }

  /// A stream of this node sends a value to a session on another node. Any thread may call.
  void fromStream(long link, String owner, ToSession value) {
    StanzaBytes bytes = crossing.write(value);
    inbox.runAlone(() -> fromStream(link, owner, value, bytes));
  }

  /// @param bytes null if it is too large
  private void fromStream(long link, String owner, ToSession value, @Nullable StanzaBytes bytes) {
    Stream stream = streams.getOrDefault(link, endedStreams.get(link));
    Placement placement = node.placement();
    if (stream == null) {
      return;
    }
    if (placement == null) {
      streams.remove(link);
      stream.wire.receive(NO_CLUSTER);
      return;
    }
    if (bytes == null) {
      stream.wire.receive(value instanceof ToSession.Recover ? NOT_FOUND : TOO_LARGE);
      return;
    }
    Member home = placement.home(placement.segmentOf(owner));
    stream.home = home;
    stream.ends |= value instanceof ToSession.Bind || value instanceof ToSession.Ended;
    node.send(home, new NodeValue.FromStream(owner, link, next(home), bytes));
    boolean last = value instanceof ToSession.Ended || value instanceof ToSession.Lost;
    if (last && streams.remove(link) != null) {
      endedStreams.put(link, stream);
    }
  }

  private long next(Member to) {
    return sent.merge(to, 1L, Long::sum);
  }

  private boolean isNew(Member from, long number) {
    if (number <= received.getOrDefault(from, 0L)) {
      return false;
    }
    received.put(from, number);
    return true;
  }

  /// A session on another node sends a value to a stream of this one.
  public void receive(Member from, NodeValue.FromSession value) {
    if (!isNew(from, value.number())) {
      return;
    }
    Stream stream = streams.get(value.link());
    if (stream != null && from.equals(stream.home)) {
      ToStream read = read(from, value.value().array());
      if (read.equals(LinkCodec.FAILURE)) {
        streams.remove(value.link());
      }
      stream.ends &= !(read instanceof ToStream.Bound);
      stream.wire.receive(read);
    }
  }

  /// A stanza that cannot be read is replaced; the stream of another value ends.
  private ToStream read(Member from, byte[] value) {
    try {
      return form.readToStream(value);
    } catch (LinkFormatException | RuntimeException e) {
      LOG.atError().addKeyValue("node", from).setCause(e).log("node_value_refused");
    }
    try {
      return LinkCodec.instead(new LinkInput(value));
    } catch (LinkFormatException e) {
      return LinkCodec.FAILURE;
    }
  }

  // ---- at the session

  /// Whether a value of a stream has not arrived before. Asked once for each value.
  public boolean isNew(Member from, NodeValue.FromStream value) {
    return isNew(from, value.number());
  }

  /// A stream on another node sends a value to a session of this one.
  public void deliver(Member from, NodeValue.FromStream value) {
    Key key = new Key(from, value.link());
    ToSession read;
    try {
      read = form.readToSession(value.value().array());
    } catch (LinkFormatException | RuntimeException e) {
      LOG.atError().addKeyValue("node", from).setCause(e).log("node_value_refused");
      refuse(key, value.owner());
      return;
    }
    deliver(key, value.owner(), read);
  }

  /// A value of a stream cannot be read: the stream ends, because its stanzas are counted. The
  /// session waits for another stream if it can.
  private void refuse(Key key, String owner) {
    if (!endedSessions.containsKey(key)) {
      fromSession(key.node(), key.link(), LinkCodec.FAILURE);
      if (sessions.containsKey(key)) {
        deliver(key, owner, new ToSession.Lost());
      }
    }
  }

  private void deliver(Key key, String owner, ToSession value) {
    Session session = sessions.get(key);
    if (session == null && isFirst(value)) {
      session = new Session(owner, gate.open(new StreamElsewhere(key)));
      sessions.put(key, session);
    }
    if (session == null) {
      session = endedSessions.get(key);
    }
    if (session == null) {
      return;
    }
    session.end().receive(value);
    if (value instanceof ToSession.Lost || value instanceof ToSession.Ended) {
      sessions.remove(key);
      endedSessions.put(key, session);
    }
  }

  private static boolean isFirst(ToSession value) {
    return value instanceof ToSession.Bind
        || value instanceof ToSession.Resume
        || value instanceof ToSession.Recover;
  }

  /// A stream on another node, for its session on this one. The keeper at that node has a snapshot
  /// of the session in case this process is killed.
  private final class StreamElsewhere implements StreamEnd {
    private final Key key;

    StreamElsewhere(Key key) {
      this.key = key;
    }

    @Override
    public void receive(ToStream value) {
      fromSession(key.node(), key.link(), value);
    }

    @Override
    public boolean keepsState() {
      return true;
    }
  }

  /// A session of this node sends a value to a stream on another node. Any thread may call.
  private void fromSession(Member to, long link, ToStream value) {
    StanzaBytes bytes = crossing.write(value);
    inbox.runAlone(() -> fromSession(to, link, bytes));
  }

  /// @param value null if it is too large and has no replacement
  private void fromSession(Member to, long link, @Nullable StanzaBytes value) {
    if (value != null) {
      node.send(to, new NodeValue.FromSession(link, next(to), value));
    }
  }

  /// Returns values of links whose home has moved on before it was open here: their streams ask
  /// again.
  public void sendBack(List<Segments.Arrived> values) {
    for (Segments.Arrived each : values) {
      if (each.value() instanceof NodeValue.FromStream value) {
        fromSession(each.from(), value.link(), new StanzaBytes(LinkCodec.write(MOVED)));
      }
    }
  }

  // ---- change of placement

  /// Unreceived values that members must also get in the next placement.
  ///
  /// @param before the placement that ends, or null
  public static Map<Member, List<NodeValue>> again(
      NodeChannels links, @Nullable Placement before, Member self, Placement next) {
    if (before == null) {
      return Map.of();
    }
    Map<Member, List<NodeValue>> again = new HashMap<>();
    for (Member member : before.members()) {
      if (next.isMember(member) && !member.equals(self)) {
        List<NodeValue> unreceived = links.unreceived(member);
        again.put(
            member,
            unreceived.stream().filter(value -> isNeeded(value, member, before, next)).toList());
      }
    }
    return again;
  }

  private static boolean isNeeded(
      NodeValue value, Member member, Placement before, Placement next) {
    return switch (value) {
      case NodeValue.FromSession _, NodeValue.Stored _, NodeValue.Posted _ -> true;
      case NodeValue.FromStream stream ->
          next.home(next.segmentOf(stream.owner())).equals(member) || isLast(stream.value());
      case NodeValue.Opened(var segment) -> hasSameOwners(segment, before, next);
      // Sent again where they must, or about the placement that ends.
      case NodeValue.Route _, NodeValue.SessionHandled _, NodeValue.Removed _ -> false;
      case NodeValue.Ask _, NodeValue.Answer _, NodeValue.Oldest _, NodeValue.AlreadyHandled _ ->
          false;
      case NodeValue.Collect _, NodeValue.HeldEnd _ -> false;
      case NodeValue.Copy _, NodeValue.Copies _, NodeValue.Copied _ -> false;
    };
  }

  /// Whether the segment has the same home and standby. Otherwise a former standby would discard
  /// its replica before the next one has everything.
  private static boolean hasSameOwners(int segment, Placement before, Placement next) {
    return next.home(segment).equals(before.home(segment))
        && Objects.equals(next.standby(segment), before.standby(segment));
  }

  /// Whether a value ends a link. A home that misses placements in which it was elsewhere must get
  /// it once it is back.
  private static boolean isLast(StanzaBytes value) {
    return value.equals(LOST_BYTES) || value.equals(ENDED_BYTES);
  }

  /// Ends the links of which one end has moved or is lost.
  public void install(Placement next) {
    sent.keySet().removeIf(each -> !next.isMember(each));
    received.keySet().removeIf(each -> !next.isMember(each));
    List<Stream> moved = streams.values().stream().filter(each -> hasMoved(each, next)).toList();
    moved.forEach(stream -> leave(stream, next));
    endedStreams.values().stream()
        .filter(each -> hasMoved(each, next))
        .forEach(stream -> leave(stream, next));
    streams.values().removeIf(stream -> hasMoved(stream, next));
    endedStreams.values().removeIf(stream -> hasMoved(stream, next));
    sessions.forEach((key, session) -> {
      if (!next.isMember(key.node())) {
        lost.add(session);
      }
    });
    sessions.keySet().removeIf(key -> !next.isMember(key.node()));
    sessions.values().removeIf(session -> !segments.isHere(session.owner()));
    lost.removeIf(session -> !segments.isHere(session.owner()));
    if (!lost.isEmpty() && !notifying) {
      notifying = true;
      inbox.submit(this::notifySome);
    }
    endedSessions.keySet().removeIf(key -> !next.isMember(key.node()));
    for (Stream each : moved) {
      each.wire.moved(!next.isMember(Objects.requireNonNull(each.home)));
    }
    // This node may have missed a placement in which their homes were elsewhere.
    List.copyOf(streams.values()).forEach(each -> each.wire.placed());
  }

  /// Ends a link at the former home, which discards that if it knows that the home has left. It may
  /// miss this placement and have the home again in the next one, as if it had never left: then its
  /// session is not to stay on a link that this node no longer knows.
  private void leave(Stream stream, Placement next) {
    Member former = Objects.requireNonNull(stream.home);
    StanzaBytes last = stream.ends ? ENDED_BYTES : LOST_BYTES;
    if (next.isMember(former)) {
      String owner = stream.wire.owner();
      node.send(former, new NodeValue.FromStream(owner, stream.wire.link(), next(former), last));
    }
  }

  /// Notifies some of the sessions whose streams were on a lost node, in portions, so that other
  /// tasks of the inbox do not wait long.
  private void notifySome() {
    for (int i = 0; i < PORTION && !lost.isEmpty(); i++) {
      lost.remove().end().receive(new ToSession.Lost());
    }
    notifying = !lost.isEmpty();
    if (notifying) {
      inbox.submit(this::notifySome);
    }
  }

  private static boolean hasMoved(Stream stream, Placement next) {
    Member home = stream.home;
    return home != null && !next.home(next.segmentOf(stream.wire.owner())).equals(home);
  }
}
