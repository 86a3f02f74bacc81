package im.zonda.home.component;

import im.zonda.cluster.Member;
import im.zonda.cluster.forward.NodeOrigin;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.jid.Jid;
import im.zonda.link.ComponentGate.Event;
import im.zonda.link.ComponentLink;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.route.EnvelopeCodec;
import im.zonda.route.EnvelopeFormatException;
import im.zonda.route.Routes;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Connects the streams of components to the homes of their domains on other nodes. Any thread may
/// call; nothing blocks.
///
/// A stream belongs to the home that its domain had when the component authenticated. When that
/// home moves to another node, the stream ends with `system-shutdown`, and the component connects
/// again.
final class ComponentNodes {
  private static final Logger LOG = LoggerFactory.getLogger(ComponentNodes.class);
  private static final String MOVED = "the component is served by another node now";
  private static final int MOST_BYTES = 16 << 20;

  private final ClusterView view;
  private final NodeMessage.Sender sender;
  private final Routes routes;
  private final EnvelopeCodec envelopes = new EnvelopeCodec(MOST_BYTES);

  /// A stream of this node whose home was on another one.
  private record Attached(long id, Member home) {}

  private final AtomicLong lastLink = new AtomicLong();
  private final Map<ComponentLink, Attached> attached = new ConcurrentHashMap<>();
  private final Map<Long, ComponentLink> streams = new ConcurrentHashMap<>();

  /// A stanza that has left with its home, held until the other node has handled it.
  ///
  /// @param target the node that it has gone to
  private record Moving(WaitingStanza stanza, Jid domain, Member target) {}

  private final AtomicLong lastMoving = new AtomicLong();
  private final Map<Long, Moving> moving = new ConcurrentHashMap<>();

  ComponentNodes(ClusterView view, NodeMessage.Sender sender, Routes routes) {
    this.view = view;
    this.sender = sender;
    this.routes = routes;
  }

  /// A stream of another node, or of this one that was opened while its home moved here.
  record NodeLink(
      NodeMessage.Sender sender, EnvelopeCodec envelopes, Member node, long id, Jid domain)
      implements ComponentLink {
    @Override
    public void deliver(Stanza stanza, long number, long since) {
      StanzaBytes bytes = new StanzaBytes(envelopes.write(Envelope.of(stanza)));
      sender.post(node, new NodeMessage.ComponentStanza(id, number, bytes));
    }

    @Override
    public void close(StreamErrorCondition condition, @Nullable String text) {
      String said = text == null ? "" : text;
      sender.post(node, new NodeMessage.ComponentClosed(id, condition.elementName(), said));
    }

    /// The component's input is paused and resumed at its own node.
    @Override
    public void pauseReading() {}

    @Override
    public void resumeReading() {}
  }

  /// The stream of that number at a node.
  NodeLink link(Member node, long id, Jid domain) {
    return new NodeLink(sender, envelopes, node, id, domain);
  }

  // ---- at the stream

  /// Forwards what has happened to a stream of this node to the node of its home; false if that is
  /// this node.
  boolean forward(ComponentLink link, Event event) {
    String domain = link.domain().toString();
    return switch (event) {
      case Event.Opened() -> attach(link);
      case Event.Written(long number) ->
          post(attached.get(link), id -> new NodeMessage.ComponentWritten(domain, id, number));
      case Event.Ended() ->
          post(attached.get(link), id -> new NodeMessage.ComponentEnded(domain, id, false));
      case Event.OutputEnded() -> {
        Attached to = attached.remove(link);
        if (to != null) {
          streams.remove(to.id());
        }
        yield post(to, id -> new NodeMessage.ComponentEnded(domain, id, true));
      }
    };
  }

  private boolean post(@Nullable Attached to, LongFunction<NodeMessage> value) {
    if (to != null) {
      sender.post(to.home(), value.apply(to.id()));
    }
    return to != null;
  }

  private boolean attach(ComponentLink link) {
    if (view.isHere(link.domain())) {
      return false;
    }
    Member home = view.homeOf(link.domain());
    if (home == null) {
      link.close(StreamErrorCondition.SYSTEM_SHUTDOWN, "this node has not joined its cluster");
      return true;
    }
    long id = lastLink.incrementAndGet();
    streams.put(id, link);
    attached.put(link, new Attached(id, home));
    sender.post(home, new NodeMessage.ComponentOpened(link.domain().toString(), id));
    Member now = view.homeOf(link.domain());
    if (!home.equals(now)) {
      link.close(StreamErrorCondition.SYSTEM_SHUTDOWN, MOVED);
    }
    return true;
  }

  /// The home has sent a stanza to a stream.
  void deliver(NodeMessage.ComponentStanza value) {
    ComponentLink link = streams.get(value.link());
    if (link != null) {
      try {
        Envelope envelope =
            envelopes.read(value.stanza().array(), (session, number) -> Origin.NONE);
        link.deliver(envelope.stanza(), value.number(), 0);
      } catch (EnvelopeFormatException e) {
        LOG.atError().addKeyValue("component", link.domain()).setCause(e).log("node_value_refused");
        link.close(StreamErrorCondition.INTERNAL_SERVER_ERROR, null);
      }
    }
  }

  /// The home ends a stream.
  void close(NodeMessage.ComponentClosed value) {
    ComponentLink link = streams.get(value.link());
    if (link != null) {
      link.close(condition(value.condition()), value.text().isEmpty() ? null : value.text());
    }
  }

  private static StreamErrorCondition condition(String name) {
    for (StreamErrorCondition each : StreamErrorCondition.values()) {
      if (each.elementName().equals(name)) {
        return each;
      }
    }
    return StreamErrorCondition.UNDEFINED_CONDITION;
  }

  // ---- change of placement

  /// Ends the streams whose homes have moved to other nodes, and routes again the stanzas that were
  /// sent to nodes that are no longer members.
  void placed(Set<Member> members) {
    attached.forEach((link, to) -> {
      if (!to.home().equals(view.homeOf(link.domain()))) {
        link.close(StreamErrorCondition.SYSTEM_SHUTDOWN, MOVED);
      }
    });
    for (Map.Entry<Long, Moving> each : List.copyOf(moving.entrySet())) {
      Moving stanza = each.getValue();
      if (!members.contains(stanza.target()) && moving.remove(each.getKey()) != null) {
        routes.route(stanza.stanza().envelope());
        stanza.stanza().release();
      }
    }
  }

  /// The state that moves with a home: the stanzas that wait there, in their order. They are held
  /// here until the other node has handled them.
  byte[] leave(Member self, Jid domain, List<WaitingStanza> waiting) {
    Member target = view.homeOf(domain);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(self.name());
      out.writeLong(self.incarnation());
      out.writeInt(waiting.size());
      for (WaitingStanza each : waiting) {
        long id = lastMoving.incrementAndGet();
        moving.put(id, new Moving(each, domain, target == null ? self : target));
        byte[] envelope = envelopes.write(each.envelope());
        out.writeLong(id);
        out.writeBoolean(each.envelope().origin().acknowledges());
        out.writeInt(envelope.length);
        out.write(envelope);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return bytes.toByteArray();
  }

  /// Reads the output of [#leave]. Each origin is held once; when nothing holds it, the node that
  /// the stanza came from is notified.
  List<Envelope> arrive(byte[] state) {
    List<Envelope> arrived = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(state))) {
      Member from = new Member(in.readUTF(), in.readLong());
      for (int left = in.readInt(); left > 0; left--) {
        long id = in.readLong();
        NodeOrigin.Cause cause = new NodeOrigin.Cause(0, 0, 0, in.readBoolean());
        Origin origin =
            new NodeOrigin(
                null, 0, cause, () -> sender.post(from, new NodeMessage.MovedHandled(id)));
        byte[] envelope = in.readNBytes(in.readInt());
        try {
          Envelope read = envelopes.read(envelope, (session, n) -> origin);
          arrived.add(new Envelope(read.stanza(), origin, read.author()));
        } catch (EnvelopeFormatException e) {
          LOG.atError().setCause(e).log("stanza_not_moved");
          origin.release();
        }
      }
    } catch (IOException e) {
      LOG.atError().setCause(e).log("state_not_moved");
    }
    return arrived;
  }

  /// A stanza that has left this node has been handled.
  void handled(long id) {
    Moving stanza = moving.remove(id);
    if (stanza != null) {
      stanza.stanza().release();
    }
  }
}
