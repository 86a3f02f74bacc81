package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Placement;
import im.zonda.link.LinkForm;
import im.zonda.link.LinkFormatException;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The links between streams and sessions on different nodes, both ends. Confined to the node's
/// inbox.
///
/// The values of all links from one node to another are numbered, over all placements: what is sent
/// again in the next placement is recognised.
final class RemoteLinks {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteLinks.class);

  /// Links that have ended and may still bring that bytes have left ([ToSession.Written]).
  private static final int ENDED = 1_000;

  private static final ToStream MOVED =
      new ToStream.Close(StreamErrorCondition.SYSTEM_SHUTDOWN, "the session has moved");

  /// A link at the home, by the node of the stream.
  private record Key(Member node, long link) {}

  /// The stream of a link, and where its session is.
  private static final class Stream {
    final StreamEnd end;
    @Nullable Member home;
    String owner = "";

    Stream(StreamEnd end) {
      this.end = end;
    }
  }

  private static final class Ended<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > ENDED;
    }
  }

  private final LinkForm form;
  private final SessionGate gate;
  private final Node node;
  private final Map<Long, Stream> streams = new HashMap<>();
  private final Map<Key, SessionEnd> sessions = new HashMap<>();
  private final Map<Long, Stream> endedStreams = new Ended<>();
  private final Map<Key, SessionEnd> endedSessions = new Ended<>();
  private final Map<Member, Long> sent = new HashMap<>();
  private final Map<Member, Long> received = new HashMap<>();

  /// @param gate opens links to sessions of this node
  RemoteLinks(LinkForm form, SessionGate gate, Node node) {
    this.form = form;
    this.gate = gate;
    this.node = node;
  }

  // ---- at the stream

  void open(long link, StreamEnd stream) {
    streams.put(link, new Stream(stream));
  }

  /// A stream of this node sends a value.
  void fromStream(long link, String owner, StanzaBytes value, boolean last) {
    Stream stream = streams.getOrDefault(link, endedStreams.get(link));
    Placement placement = node.placement();
    if (stream == null) {
      return;
    }
    if (placement == null) {
      stream.end.receive(MOVED);
      streams.remove(link);
      return;
    }
    Member home = placement.home(placement.segmentOf(owner));
    stream.home = home;
    stream.owner = owner;
    node.say(home, new NodeValue.FromStream(owner, link, next(home), value));
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
  void receive(Member from, NodeValue.FromSession value) {
    if (!isNew(from, value.number())) {
      return;
    }
    Stream stream = streams.get(value.link());
    if (stream != null && from.equals(stream.home)) {
      try {
        stream.end.receive(form.readToStream(value.value().array()));
      } catch (LinkFormatException e) {
        LOG.atError().addKeyValue("node", from).setCause(e).log("node_value_refused");
        streams.remove(value.link());
        stream.end.receive(MOVED);
      }
    }
  }

  // ---- at the session

  /// Whether a value of a stream has not arrived before. Asked once for each value.
  boolean isNew(Member from, NodeValue.FromStream value) {
    return isNew(from, value.number());
  }

  /// A stream on another node sends a value to a session of this one.
  void deliver(Member from, NodeValue.FromStream value) {
    Key key = new Key(from, value.link());
    try {
      deliver(key, form.readToSession(value.value().array()));
    } catch (LinkFormatException e) {
      LOG.atError().addKeyValue("node", from).setCause(e).log("node_value_refused");
    }
  }

  private void deliver(Key key, ToSession value) {
    SessionEnd session = sessions.get(key);
    if (session == null && (value instanceof ToSession.Bind || value instanceof ToSession.Resume)) {
      session = gate.open(reply -> node.fromSession(key.node(), key.link(), reply));
      sessions.put(key, session);
    }
    if (session == null) {
      session = endedSessions.get(key);
    }
    if (session == null) {
      return;
    }
    session.receive(value);
    if (value instanceof ToSession.Lost || value instanceof ToSession.Ended) {
      sessions.remove(key);
      endedSessions.put(key, session);
    }
  }

  /// A session of this node sends a value to a stream on another.
  void fromSession(Member to, long link, StanzaBytes value) {
    node.say(to, new NodeValue.FromSession(link, next(to), value));
  }

  // ---- change of placement

  /// The values of links that are to be sent again to a member.
  List<NodeValue> carried(List<NodeValue> unreceived, Member member, Placement next) {
    List<NodeValue> carried = new ArrayList<>();
    for (NodeValue value : unreceived) {
      if (value instanceof NodeValue.FromSession) {
        carried.add(value);
      } else if (value instanceof NodeValue.FromStream stream
          && next.home(next.segmentOf(stream.owner())).equals(member)) {
        carried.add(value);
      }
    }
    return carried;
  }

  /// Ends the links of which one end is gone.
  void install(Placement next) {
    sent.keySet().removeIf(each -> !next.isMember(each));
    received.keySet().removeIf(each -> !next.isMember(each));
    streams
        .values()
        .removeIf(stream -> {
          Member home = stream.home;
          boolean moved = home != null && !next.home(next.segmentOf(stream.owner)).equals(home);
          if (moved) {
            stream.end.receive(MOVED);
          }
          return moved;
        });
    for (Map.Entry<Key, SessionEnd> each : List.copyOf(sessions.entrySet())) {
      if (!next.isMember(each.getKey().node())) {
        sessions.remove(each.getKey());
        each.getValue().receive(new ToSession.Lost());
      }
    }
    endedSessions.keySet().removeIf(key -> !next.isMember(key.node()));
    endedStreams
        .values()
        .removeIf(stream -> {
          Member home = stream.home;
          return home != null && !next.home(next.segmentOf(stream.owner)).equals(home);
        });
  }
}
