package im.zonda.home.component;

import im.zonda.cluster.Member;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.node.Nodes;
import im.zonda.jid.Jid;
import im.zonda.link.ComponentGate.Event;
import im.zonda.link.ComponentLink;
import im.zonda.route.Routes;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The components of a cluster: what the nodes say to each other about them, and what happens when
/// their homes move. Any thread may call.
public final class ComponentCluster {
  /// How long the streams of a domain whose home leaves have to end.
  private static final Duration TIME_TO_END = Duration.ofSeconds(2);

  private final Nodes cluster;
  private final ComponentNodes nodes;
  private final ComponentHomes homes;

  /// Components whose homes are on other nodes, and these nodes.
  private final Map<Jid, Member> elsewhere = new ConcurrentHashMap<>();

  ComponentCluster(Nodes cluster, Routes routes, ComponentHomes homes) {
    this.cluster = cluster;
    this.nodes = new ComponentNodes(cluster.view(), cluster.sender(), routes);
    this.homes = homes;
  }

  /// Where streams are joined with homes on other nodes.
  ComponentNodes nodes() {
    return nodes;
  }

  /// The state of a component of a home of this node has changed: all nodes have a route to it and
  /// know whether it is connected.
  void announce(Jid domain, NodeMessage.Presence presence) {
    cluster.sender().postToOthers(new NodeMessage.ComponentPresence(domain.toString(), presence));
  }

  /// Another node has forwarded a stanza, which will be routed. Returns at once.
  public void forwarded(Stanza stanza) {
    homes.forwarded(stanza.from());
  }

  /// Handles a message of another node, or this one, about a component. Returns at once; ignores
  /// values of other kinds.
  public void receive(Member from, NodeMessage value) {
    switch (value) {
      case NodeMessage.ComponentOpened(String domain, long id) ->
          handle(from, domain, id, new Event.Opened());
      case NodeMessage.ComponentWritten(String domain, long id, long number) ->
          handle(from, domain, id, new Event.Written(number));
      case NodeMessage.ComponentEnded(String domain, long id, boolean output) ->
          handle(from, domain, id, output ? new Event.OutputEnded() : new Event.Ended());
      case NodeMessage.ComponentStanza stanza -> nodes.deliver(stanza);
      case NodeMessage.ComponentClosed closed -> nodes.close(closed);
      case NodeMessage.ComponentPresence(String domain, NodeMessage.Presence presence) ->
          know(from, Jid.of(domain), presence);
      case NodeMessage.MovedHandled(long id) -> nodes.handled(id);
      default -> {}
    }
  }

  private void handle(Member from, String domain, long id, Event event) {
    homes.handle(nodes.link(from, id, Jid.of(domain)), event);
  }

  private void know(Member home, Jid domain, NodeMessage.Presence presence) {
    if (presence == NodeMessage.Presence.CONNECTED) {
      elsewhere.put(domain, home);
      homes.connectedElsewhere(domain);
    } else if (elsewhere.remove(domain, home)) {
      homes.disconnectedElsewhere(domain);
    }
    if (presence == NodeMessage.Presence.GONE) {
      homes.removeRoute(domain);
    }
  }

  /// These are the nodes from now on. Returns at once.
  public void placed(Set<Member> members) {
    nodes.placed(members);
    elsewhere.forEach((domain, home) -> {
      if (!members.contains(home) && elsewhere.remove(domain, home)) {
        homes.disconnectedElsewhere(domain);
      }
    });
    homes.atEach(_ -> true, home -> home.endLost(link -> isLost(link, members), homes.now()));
    for (Jid domain : homes.connected()) {
      if (!elsewhere.containsKey(domain)) {
        announce(domain, NodeMessage.Presence.CONNECTED);
      }
    }
  }

  private static boolean isLost(ComponentLink link, Set<Member> members) {
    return link instanceof ComponentNodes.NodeLink remote && !members.contains(remote.node());
  }

  /// More homes are here. Returns at once.
  public void opened() {
    homes.acceptMoved();
    homes.loadNamed();
  }

  /// Unloads homes that are on another node from now on. Their streams end, and what waits for
  /// these moves. Blocks for some seconds at most.
  ///
  /// @param moving given the state that moves with each
  /// @return how many homes were still busy in the end
  public long unload(Predicate<Jid> leaving, BiConsumer<Jid, byte[]> moving, Duration patience) {
    Member self = cluster.view().self();
    List<Jid> loaded = homes.loaded(leaving);
    CountDownLatch quiet = new CountDownLatch(loaded.size());
    homes.atEach(loaded::contains, home -> home.leave(quiet::countDown));
    await(quiet, loaded.isEmpty() ? Duration.ZERO : TIME_TO_END);
    CountDownLatch taken = new CountDownLatch(loaded.size());
    homes.atEach(
        loaded::contains,
        home -> {
          leave(self, home, moving);
          taken.countDown();
        });
    await(taken, loaded.isEmpty() ? Duration.ZERO : patience);
    return homes.unload(leaving, patience);
  }

  private void leave(@Nullable Member self, ComponentHome home, BiConsumer<Jid, byte[]> moving) {
    List<WaitingStanza> waiting = home.takeAll(homes.now());
    if (self == null) {
      waiting.forEach(home::returnToSender);
    } else if (!waiting.isEmpty()) {
      moving.accept(home.domain(), nodes.leave(self, home.domain(), waiting));
    }
  }

  private static void await(CountDownLatch latch, Duration patience) {
    try {
      boolean _ = latch.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Keeps the state that has moved with a home until it is here. Returns at once.
  public void arrived(Jid domain, byte[] state) {
    homes.keepMoved(domain, nodes.arrive(state));
  }
}
