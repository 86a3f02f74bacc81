package im.zonda.home.component;

import im.zonda.config.Components;
import im.zonda.config.Limits;
import im.zonda.home.HomeKind;
import im.zonda.home.HomeTask;
import im.zonda.home.Homes;
import im.zonda.jid.Jid;
import im.zonda.link.ComponentGate;
import im.zonda.link.ComponentLink;
import im.zonda.module.Envelope;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.module.Scheduler;
import im.zonda.route.Destination;
import im.zonda.route.ErrorReplies;
import im.zonda.route.Routes;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StreamErrorCondition;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The external components of this server: the homes of their domains, and the routes to these.
///
/// A domain that the configuration names has a route always; one that only fits a pattern has one
/// while a component is connected, and for the time that stanzas wait after that. Any thread may
/// call.
public final class ComponentHomes implements ComponentGate {
  private static final long LONGEST_CHECK = 1_000;

  private final Routes routes;
  private final ComponentBounds bounds;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final Homes<Domain> homes;
  private final Set<Jid> connected = ConcurrentHashMap.newKeySet();
  private volatile Listener listener =
      new Listener() {
        @Override
        public void connected(Jid component, Consumer<Stanza> connection) {}

        @Override
        public void disconnected(Jid component) {}
      };

  /// What surrounds the homes.
  ///
  /// @param routes where stanzas of components go, and where the domains are added
  /// @param scheduler runs checks of the time
  public record Surroundings(Routes routes, InstantSource clock, Scheduler scheduler) {}

  /// Adds the routes to the domains that the settings name.
  ///
  /// @param makeHomes makes the homes of a kind
  public ComponentHomes(
      Components settings,
      Limits limits,
      Surroundings surroundings,
      Function<HomeKind<Domain>, Homes<Domain>> makeHomes) {
    this.routes = surroundings.routes();
    this.clock = surroundings.clock();
    this.scheduler = surroundings.scheduler();
    this.bounds = ComponentBounds.of(settings, limits);
    Set<String> named = Set.copyOf(settings.domains());
    this.homes = makeHomes.apply(new Kind(named));
    for (String name : named) {
      routes.add(Jid.of(name), new ComponentDestination(Jid.of(name)));
      // Stanzas wait from the start of the server on, not from the first stanza on.
      boolean _ = homes.submit(Jid.of(name), HomeTask.blocking(home -> {}), null);
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

    /// Whether the settings name the domain.
    private final boolean named;

    /// The route of a domain that is not named; null if it has none.
    private @Nullable Destination route;

    /// Whether a check of the time is to come.
    private boolean checking;

    private Domain(ComponentHome home, boolean named) {
      this.home = home;
      this.named = named;
    }
  }

  private final class Kind implements HomeKind<Domain> {
    private final Set<String> named;

    Kind(Set<String> named) {
      this.named = named;
    }

    @Override
    public Domain load(Jid address) {
      return new Domain(
          new ComponentHome(address, bounds, routes.errors(), clock.millis()),
          named.contains(address.domain()));
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
      routes.errors().reject(envelope, ErrorReplies.errorFor(cause));
      return true;
    }

    @Override
    public boolean canUnload(Domain domain) {
      return !domain.named
          && domain.route == null
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
  }

  // ---- from streams

  @Override
  public void opened(ComponentLink link) {
    submit(link, domain -> open(domain, link));
  }

  private void open(Domain domain, ComponentLink link) {
    if (!domain.named && domain.route == null) {
      Destination added = new ComponentDestination(link.domain());
      try {
        routes.add(link.domain(), added);
      } catch (IllegalStateException e) {
        link.close(StreamErrorCondition.CONFLICT, "the domain is served otherwise");
        return;
      }
      domain.route = added;
    }
    if (!domain.home.open(link)) {
      link.close(StreamErrorCondition.CONFLICT, "too many connections of this domain");
      return;
    }
    connected.add(link.domain());
    long now = clock.millis();
    listener.connected(link.domain(), stanza -> domain.home.sendTo(link, stanza, now));
    domain.home.sendWaiting(now);
    checkLater(domain);
  }

  @Override
  public void received(ComponentLink link, Stanza stanza) {
    routes.route(new Envelope(stanza, new ComponentOrigin(link), null));
  }

  /// The origin of a component's stanza: only its stream can be paused.
  private record ComponentOrigin(ComponentLink link) implements Origin {
    @Override
    public @Nullable Jid session() {
      return null;
    }

    @Override
    public long number() {
      return 0;
    }

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

  @Override
  public void written(ComponentLink link, long number) {
    submit(link, domain -> domain.home.written(link, number, clock.millis()));
  }

  @Override
  public void ended(ComponentLink link) {
    submit(
        link,
        domain -> {
          domain.home.end(link, clock.millis());
          if (!domain.home.isConnected() && connected.remove(link.domain())) {
            listener.disconnected(link.domain());
          }
          checkLater(domain);
        });
  }

  @Override
  public void outputEnded(ComponentLink link) {
    boolean _ =
        homes.submitIfLoaded(
            link.domain(),
            domain -> {
              domain.home.endOutput(link, clock.millis());
              checkLater(domain);
            });
  }

  private void submit(ComponentLink link, HomeTask<Domain> task) {
    boolean _ = homes.submit(link.domain(), task, null);
  }

  // ---- time

  /// Has the time checked while something waits, or a route is to be removed.
  private void checkLater(Domain domain) {
    boolean wanted = !domain.home.isIdle() || (domain.route != null && !domain.home.isConnected());
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
      Destination route = domain.route;
      if (route != null && domain.home.isAway(now)) {
        routes.remove(domain.home.domain(), route);
        domain.route = null;
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
