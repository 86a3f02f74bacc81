package im.zonda.home.component;

import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.node.Nodes;
import im.zonda.config.component.Components;
import im.zonda.config.limits.Limits;
import im.zonda.home.HomeKind;
import im.zonda.home.HomeTask;
import im.zonda.home.Homes;
import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.link.ComponentGate;
import im.zonda.link.ComponentLink;
import im.zonda.module.Envelope;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.module.Scheduler;
import im.zonda.route.Destination;
import im.zonda.route.Routes;
import im.zonda.route.Tracing;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StreamErrorCondition;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The external components of this server: the homes of their domains, and the routes to these.
///
/// A domain that the configuration names has a route always; one that only fits a pattern has one
/// while a component is connected, and for the time that stanzas wait after that. Any thread may
/// call.
public final class ComponentHomes implements ComponentGate {
  private static final Logger LOG = LoggerFactory.getLogger(ComponentHomes.class);
  private static final long LONGEST_CHECK = 1_000;
  private static final String SERVED_OTHERWISE = "the domain is served otherwise";

  private final Components settings;
  private final Routes routes;
  private final ComponentBounds bounds;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final Homes<Domain> homes;
  private final Set<Jid> connected = ConcurrentHashMap.newKeySet();
  private final Set<String> named;

  /// The routes to domains that only fit a pattern.
  private final Map<Jid, Destination> patternRoutes = new ConcurrentHashMap<>();

  /// Stanzas that have moved with homes that may not be here yet.
  private final Map<Jid, List<Envelope>> moved = new ConcurrentHashMap<>();

  /// The components of other nodes; null without a cluster.
  private final @Nullable ComponentCluster cluster;

  private volatile Listener listener =
      new Listener() {
        @Override
        public void connected(Jid component, Consumer<Stanza> connection) {}

        @Override
        public void disconnected(Jid component) {}
      };

  /// The parts of the server that the homes use.
  ///
  /// @param routes where stanzas of components go, and where the domains are added
  /// @param nodes the other nodes of the cluster
  public record Surroundings(Routes routes, ServerRuntime runtime, Nodes nodes) {}

  /// Adds the routes to the domains that the settings name.
  ///
  /// @param makeHomes makes the homes of a kind
  public ComponentHomes(
      Components settings,
      Limits limits,
      Surroundings surroundings,
      Function<HomeKind<Domain>, Homes<Domain>> makeHomes) {
    this.settings = settings;
    this.routes = surroundings.routes();
    this.clock = surroundings.runtime().clock();
    this.scheduler = surroundings.runtime().scheduler();
    this.bounds = ComponentBounds.of(settings, limits);
    this.named = Set.copyOf(settings.domains());
    this.homes = makeHomes.apply(new Kind());
    Nodes nodes = surroundings.nodes();
    this.cluster = nodes.equals(Nodes.NONE) ? null : new ComponentCluster(nodes, routes, this);
    named.forEach(name -> routes.add(Jid.of(name), new ComponentDestination(Jid.of(name))));
    loadNamed();
  }

  /// Loads the homes that are on this node: stanzas wait from the start of the server on, not from
  /// the first stanza on.
  void loadNamed() {
    for (String name : named) {
      boolean _ = homes.submit(Jid.of(name), HomeTask.blocking(home -> {}), null);
    }
    for (Jid domain : patternRoutes.keySet()) {
      boolean _ = homes.submit(domain, HomeTask.blocking(this::checkLater), null);
    }
  }

  /// Observes connections, in the mailbox of the component's home. Must not block.
  public interface Listener {
    /// A connection has been opened.
    ///
    /// @param connection sends a stanza over it before anything else; for use during the call
    void connected(Jid component, Consumer<Stanza> connection);

    /// The last connection of a component has ended.
    void disconnected(Jid component);
  }

  /// Has `other` observe connections; to be called before there is one.
  public void listen(Listener other) {
    listener = other;
  }

  /// The home of a domain, and its route.
  public static final class Domain {
    private final ComponentHome home;

    /// Whether a check of the time is to come.
    private boolean checking;

    private Domain(ComponentHome home) {
      this.home = home;
    }
  }

  private final class Kind implements HomeKind<Domain> {
    @Override
    public Domain load(Jid address) {
      ComponentHome home = new ComponentHome(address, bounds, routes.errors(), clock.millis());
      acceptMoved(home);
      return new Domain(home);
    }

    @Override
    public boolean mayBlock(Domain domain, Envelope envelope) {
      return false;
    }

    @Override
    public void accept(Domain domain, Envelope envelope) {
      domain.home.accept(envelope, clock.millis());
      checkLater(domain);
    }

    @Override
    public boolean failed(Envelope envelope, Throwable cause) {
      routes.errors().rejectFailed(envelope, cause);
      return true;
    }

    @Override
    public boolean canUnload(Domain domain) {
      return !named.contains(domain.home.domain().domain())
          && !patternRoutes.containsKey(domain.home.domain())
          && domain.home.isIdle()
          && !domain.home.isConnected();
    }
  }

  /// A component's domain as a destination.
  private final class ComponentDestination implements Destination {
    private final Jid domain;

    ComponentDestination(Jid domain) {
      this.domain = domain;
    }

    @Override
    public void accept(Envelope envelope) {
      if (!homes.accept(domain, envelope)) {
        routes.errors().reject(envelope, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
      }
    }

    @Override
    public boolean inventsAddresses() {
      return true;
    }
  }

  // ---- from streams

  /// The route is added before anything is read from the component: an answer to its first stanza
  /// would be lost otherwise when it comes before the home has opened the connection.
  @Override
  public void report(ComponentLink link, Event event) {
    if (event instanceof Event.Opened && !addRoute(link.domain())) {
      link.close(StreamErrorCondition.CONFLICT, SERVED_OTHERWISE);
    } else if (cluster == null || !cluster.nodes().forward(link, event)) {
      handle(link, event);
    }
  }

  /// Handles what has happened to a connection at a home of this node, whose stream may be on
  /// another one. The route is there before the home opens the connection, for answers to what the
  /// other node reads from the component.
  void handle(ComponentLink link, Event event) {
    if (!(event instanceof Event.Opened)) {
      boolean _ = homes.submitIfLoaded(link.domain(), domain -> handle(domain, link, event));
    } else if (!addRoute(link.domain())) {
      link.close(StreamErrorCondition.CONFLICT, SERVED_OTHERWISE);
    } else if (!homes.submit(link.domain(), domain -> handle(domain, link, event), null)) {
      link.close(StreamErrorCondition.SYSTEM_SHUTDOWN, null);
    }
  }

  private void handle(Domain domain, ComponentLink link, Event event) {
    long now = clock.millis();
    switch (event) {
      case Event.Opened() -> open(domain, link);
      case Event.Written(long number) -> domain.home.written(link, number, now);
      case Event.Ended() -> {
        domain.home.end(link, now);
        checkConnected(domain);
        checkLater(domain);
      }
      case Event.OutputEnded() -> {
        domain.home.endOutput(link, now);
        checkLater(domain);
      }
    }
  }

  /// Adds the route to a domain; false if the domain is served otherwise.
  private synchronized boolean addRoute(Jid domain) {
    if (named.contains(domain.domain()) || patternRoutes.containsKey(domain)) {
      return true;
    }
    Destination added = new ComponentDestination(domain);
    try {
      routes.add(domain, added);
    } catch (IllegalStateException e) {
      return patternRoutes.containsKey(domain);
    }
    patternRoutes.put(domain, added);
    return true;
  }

  /// Removes the route to a domain that only fits a pattern.
  synchronized void removeRoute(Jid domain) {
    Destination route = patternRoutes.remove(domain);
    if (route != null) {
      routes.remove(domain, route);
    }
  }

  private void open(Domain domain, ComponentLink link) {
    if (!addRoute(link.domain())) {
      link.close(StreamErrorCondition.CONFLICT, SERVED_OTHERWISE);
      return;
    }
    if (!domain.home.open(link)) {
      link.close(StreamErrorCondition.CONFLICT, "too many connections of this domain");
      return;
    }
    connected.add(link.domain());
    announce(link.domain(), NodeMessage.Presence.CONNECTED);
    long now = clock.millis();
    listener.connected(link.domain(), stanza -> domain.home.sendTo(link, stanza, now));
    domain.home.sendWaiting(now);
    checkLater(domain);
  }

  private void announce(Jid domain, NodeMessage.Presence presence) {
    if (cluster != null) {
      cluster.announce(domain, presence);
    }
  }

  @Override
  public void received(ComponentLink link, Stanza stanza) {
    Tracing tracing = routes.errors().tracing();
    Jid from = stanza.from();
    long trace =
        from != null && tracing.on()
            ? tracing.received(
                stanza, 0, new Tracing.Arrival(Place.COMPONENT, null, 0, from.domain()))
            : 0;
    routes.route(new Envelope(stanza, new ComponentOrigin(link, trace, System.nanoTime()), null));
  }

  /// The origin of a component's stanza: only its stream can be paused.
  private record ComponentOrigin(ComponentLink link, long trace, long since) implements Origin {
    @Override
    public InboundFlow flow() {
      return link;
    }

    @Override
    public boolean acknowledges() {
      return false;
    }

    @Override
    public void hold() {}

    @Override
    public void release() {}
  }

  private void checkConnected(Domain domain) {
    Jid address = domain.home.domain();
    if (!domain.home.isConnected() && connected.remove(address)) {
      announce(address, NodeMessage.Presence.AWAY);
      listener.disconnected(address);
    }
  }

  // ---- in a cluster

  /// The other nodes; null without a cluster.
  public @Nullable ComponentCluster cluster() {
    return cluster;
  }

  /// Another node has forwarded a stanza. The home of the component that has sent it may not have
  /// announced the component here yet: without a route the answer would be lost.
  void forwarded(@Nullable Jid from) {
    if (from != null
        && named.size() < settings.secret().size()
        && !patternRoutes.containsKey(from.domainJid())
        && settings.secretOf(from.domain()) != null) {
      boolean _ = addRoute(from.domainJid());
    }
  }

  /// A component has connections whose home is on another node.
  void connectedElsewhere(Jid domain) {
    if (addRoute(domain) && connected.add(domain)) {
      // Its home says over the connection what is to be said.
      listener.connected(domain, stanza -> {});
    }
  }

  /// The last connection of a component has ended, and its home is or was on another node.
  void disconnectedElsewhere(Jid domain) {
    if (connected.remove(domain)) {
      listener.disconnected(domain);
    }
  }

  /// The time in ms.
  long now() {
    return clock.millis();
  }

  /// Those of these homes that are loaded.
  List<Jid> loaded(Predicate<Jid> chosen) {
    return homes.addresses().stream().filter(chosen).toList();
  }

  /// Runs `task` at each of these homes that is loaded.
  void atEach(Predicate<Jid> chosen, Consumer<ComponentHome> task) {
    for (Jid address : homes.addresses()) {
      if (chosen.test(address)) {
        boolean _ =
            homes.submitIfLoaded(
                address,
                domain -> {
                  task.accept(domain.home);
                  checkConnected(domain);
                  checkLater(domain);
                });
      }
    }
  }

  /// Keeps stanzas for a home with which they have moved, each of which is held once, until it is
  /// here. Returns at once.
  void keepMoved(Jid domain, List<Envelope> arrived) {
    moved.put(domain, arrived);
  }

  /// The homes with which stanzas have moved are here. Returns at once.
  void acceptMoved() {
    for (Jid domain : List.copyOf(moved.keySet())) {
      boolean accepted =
          homes.submit(
              domain,
              home -> {
                acceptMoved(home.home);
                checkLater(home);
              },
              null);
      if (!accepted && moved.remove(domain) != null) {
        LOG.atWarn().addKeyValue("component", domain).log("component_stanzas_not_moved");
      }
    }
  }

  private void acceptMoved(ComponentHome home) {
    List<Envelope> arrived = moved.remove(home.domain());
    for (Envelope envelope : arrived == null ? List.<Envelope>of() : arrived) {
      home.accept(envelope, clock.millis());
      envelope.origin().release();
    }
  }

  /// Unloads homes that move to another node. Blocks.
  ///
  /// @return how many were still busy in the end
  long unload(Predicate<Jid> leaving, Duration patience) {
    return homes.unload(leaving, patience);
  }

  // ---- time

  /// Has the time checked while something waits, or a route is to be removed.
  private void checkLater(Domain domain) {
    boolean wanted =
        !domain.home.isIdle()
            || (patternRoutes.containsKey(domain.home.domain()) && !domain.home.isConnected());
    if (!wanted || domain.checking) {
      return;
    }
    domain.checking = true;
    Duration next = Duration.ofMillis(Math.min(LONGEST_CHECK, bounds.giveUpMillis() / 4));
    scheduler.schedule(next, () -> homes.submitIfLoaded(domain.home.domain(), this::checkTime));
  }

  private void checkTime(Domain domain) {
    long now = clock.millis();
    domain.checking = false;
    try {
      domain.home.checkTime(now);
      Jid address = domain.home.domain();
      if (patternRoutes.containsKey(address) && domain.home.isAway(now)) {
        removeRoute(address);
        announce(address, NodeMessage.Presence.GONE);
      }
    } finally {
      checkLater(domain);
    }
  }

  // ---- facts

  /// Whether a component with that domain is connected.
  public boolean isConnected(Jid domain) {
    return connected.contains(domain);
  }

  /// Sends a stanza to every connection of the component that its `to` names.
  public void sendToEachConnection(Stanza stanza) {
    Jid to = stanza.to();
    if (to != null) {
      boolean _ =
          homes.submitIfLoaded(
              Jid.of(to.domain()), domain -> domain.home.sendToEach(stanza, clock.millis()));
    }
  }

  /// The domains of the components that are connected, in alphabetical order.
  public List<Jid> connected() {
    return connected.stream().sorted((a, b) -> a.domain().compareTo(b.domain())).toList();
  }

  /// Unloads homes that are not needed; to be called every few seconds.
  public void sweep() {
    homes.sweep();
  }
}
