package im.zonda.home.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.auth.EncryptedStanzaIds;
import im.zonda.cluster.node.Nodes;
import im.zonda.config.ServerConfig;
import im.zonda.home.CountingOrigin;
import im.zonda.home.SteppedWorkers;
import im.zonda.home.lifecycle.RunningRouter;
import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.home.router.StanzaRouter;
import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.module.ServiceHomes;
import im.zonda.route.Destination;
import im.zonda.runtime.TestRuntime;
import im.zonda.stanza.Stanza;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ServiceDestinationTest {
  private static final Jid FIRST = Jid.of("first@rooms.example.org");
  private static final Jid BROKEN = Jid.of("broken@rooms.example.org");
  private static final Jid LAST = Jid.of("last@rooms.example.org");

  private final SteppedWorkers workers = new SteppedWorkers();
  private final List<String> done = new ArrayList<>();
  private boolean storeFails;
  private boolean stateFails;
  private final StanzaRouter router =
      new StanzaRouter(
          ServerConfig.defaults(List.of("example.org"), Path.of("data")),
          new MemoryStores(InstantSource.system()),
          Nodes.NONE,
          new TestRuntime().workers(workers).build(),
          new EncryptedStanzaIds(new byte[32]));
  private final ServiceHomes<Jid> homes = router.serve(new Addresses());

  /// At every address there is the address.
  private final class Addresses implements DomainService<Jid> {
    @Override
    public Jid domain() {
      return Jid.of("rooms.example.org");
    }

    @Override
    public String title() {
      return "Addresses";
    }

    @Override
    public Jid load(Jid address) {
      done.add((workers.working() ? "load " : "load on the caller's thread ") + address.local());
      if (storeFails) {
        throw new StoreException(StoreException.Category.UNAVAILABLE, "the database is away", null);
      }
      return address;
    }

    @Override
    public void arrived(Jid home, Map<String, byte[]> state) {
      done.add("arrived " + state.keySet());
      if (stateFails) {
        throw new StoreException(StoreException.Category.UNAVAILABLE, "the database is away", null);
      }
    }

    @Override
    public Map<String, byte[]> leaving(Jid home) {
      return Map.of("of " + home.local(), new byte[0]);
    }

    @Override
    public boolean canUnload(Jid home) {
      if (home.equals(BROKEN)) {
        throw new IllegalStateException("a home that does not know");
      }
      return true;
    }

    @Override
    public boolean mayBlock(Jid home, Stanza stanza) {
      return false;
    }

    @Override
    public void accept(Jid home, Envelope envelope) {
      done.add("accept " + envelope.stanza().id());
    }

    @Override
    public void acceptForDomain(Stanza stanza) {
      done.add("for the domain " + stanza.id());
    }
  }

  private void at(Jid address, String what) {
    homes.submit(address, false, home -> done.add(what));
  }

  @Test
  void aHomeThatCannotBeUnloadedKeepsNoOtherFromIt() {
    at(FIRST, "first");
    at(BROKEN, "broken");
    at(LAST, "last");
    workers.runAll();
    assertThat(homes.addresses()).hasSize(3);

    router.sweep();
    assertThat(homes.addresses()).containsExactly(BROKEN);
    at(BROKEN, "broken again");
    assertThat(done).endsWith("broken again");
  }

  @Test
  void aHomeIsLoadedByAWorkerAndTasksKeepTheirOrder() {
    at(FIRST, "a");
    at(FIRST, "b");
    assertThat(done).isEmpty();
    workers.runAll();
    at(FIRST, "c");
    assertThat(done).containsExactly("load first", "a", "b", "c");
  }

  @Test
  void aHomeThatWasUnloadedIsLoadedByAWorkerAgain() {
    at(FIRST, "a");
    workers.runAll();
    router.sweep();
    at(FIRST, "b");
    assertThat(done).containsExactly("load first", "a");
    workers.runAll();
    assertThat(done).containsExactly("load first", "a", "load first", "b");
  }

  /// It is not on this node before.
  @Test
  void stateThatArrivedWaitsUntilItsHomeIsHere() {
    router.arrived(FIRST, Map.of("seats", new byte[0]));
    workers.runAll();
    assertThat(done).isEmpty();
    router.opened();
    workers.runAll();
    assertThat(done).containsExactly("load first", "arrived [seats]");
  }

  private void arriveInVain() {
    storeFails = true;
    assertThat(router.arrived(FIRST, Map.of("seats", new byte[0]))).isTrue();
    router.opened();
    workers.runAll();
    assertThat(done).containsExactly("load first");
    storeFails = false;
    done.clear();
  }

  @Test
  void stateThatArrivedWaitsUntilItsHomeCanBeLoaded() {
    arriveInVain();
    send(FIRST.toString(), "m");
    at(FIRST, "a");
    workers.runAll();
    assertThat(done).containsExactly("load first", "arrived [seats]", "accept m", "a");
  }

  @Test
  void stateThatWaitsIsRestoredWithoutAnyStanza() {
    arriveInVain();
    router.sweep();
    workers.runAll();
    assertThat(done).containsExactly("load first", "arrived [seats]");
  }

  @Test
  void stateThatWaitsMovesOn() {
    arriveInVain();
    List<Jid> moved = new ArrayList<>();
    ((ServiceDestination<?>) homes)
        .unload(FIRST::equals, (address, _) -> moved.add(address), Duration.ofSeconds(1));
    assertThat(moved).containsExactly(FIRST);
    at(FIRST, "a");
    workers.runAll();
    assertThat(done).containsExactly("load first", "a");
  }

  /// A room reads what it is to send again.
  @Test
  void stateWaitsTooIfTheDatabaseFailsWhenTheHomeIsLoaded() {
    addCapulet();
    stateFails = true;
    assertThat(router.arrived(FIRST, Map.of("seats", new byte[0]))).isTrue();
    router.opened();
    send(FIRST.toString(), "m");
    workers.runAll();
    assertThat(done)
        .containsExactly("load first", "arrived [seats]", "arrived [seats]", "error m no service");
    done.clear();
    stateFails = false;
    router.sweep();
    at(FIRST, "a");
    workers.runAll();
    assertThat(done).endsWith("arrived [seats]", "a").doesNotContain("error a");
    done.clear();
    at(FIRST, "b");
    workers.runAll();
    assertThat(done).containsExactly("b");
  }

  @Test
  void stateThatCouldNotBeRestoredMovesOnAsItCame() {
    stateFails = true;
    router.arrived(FIRST, Map.of("seats", new byte[0]));
    router.opened();
    workers.runAll();
    List<String> moved = new ArrayList<>();
    ((ServiceDestination<?>) homes)
        .unload(FIRST::equals, (_, state) -> moved.addAll(state.keySet()), Duration.ofSeconds(1));
    assertThat(moved).containsExactly("seats");
  }

  /// Otherwise it would be acknowledged to its sender, who would not get the error if this node
  /// dies.
  @Test
  void anErrorBelongsToTheStanzaThatItAnswers() {
    List<Origin> origins = new ArrayList<>();
    router.routes().add(Jid.of("capulet.example"), envelope -> origins.add(envelope.origin()));
    storeFails = true;
    Origin origin = new CountingOrigin(null);
    router
        .routes()
        .route(
            new Envelope(
                TestStanzas.of(
                    "<message from='juliet@capulet.example/balcony' to='" + FIRST + "'/>"),
                origin,
                null));
    workers.runAll();
    assertThat(origins).containsExactly(origin);
  }

  private void send(String to, String id) {
    router
        .routes()
        .route(
            Envelope.of(
                TestStanzas.of(
                    "<message from='juliet@capulet.example/balcony' to='"
                        + to
                        + "' id='"
                        + id
                        + "'/>")));
  }

  /// Another server, which receives the errors.
  private void addCapulet() {
    router
        .routes()
        .add(
            Jid.of("capulet.example"),
            envelope ->
                done.add(
                    "error "
                        + envelope.stanza().id()
                        + (envelope.stanza().toElement().toString().contains("remote-server")
                            ? " no such server"
                            : " no service")));
  }

  @Test
  void whatWaitsAtAWithdrawnServiceIsHandledAndLaterStanzasAreAnswered() {
    addCapulet();
    send("first@rooms.example.org", "1");
    homes.withdraw();
    assertThat(done).isEmpty();
    workers.runAll();
    assertThat(done).containsExactly("load first", "accept 1");

    send("first@rooms.example.org", "2");
    send("rooms.example.org", "3");
    assertThat(done).endsWith("error 2 no such server", "error 3 no such server");
    assertThatThrownBy(() -> at(FIRST, "late")).isInstanceOf(IllegalStateException.class);
    router.sweep();
    assertThat(homes.addresses()).isEmpty();
  }

  @Test
  void aStanzaThatHasFoundAServiceBeforeItIsWithdrawnIsAnswered() {
    addCapulet();
    Destination found = router.routes().to(FIRST);
    homes.withdraw();
    found.accept(
        Envelope.of(
            TestStanzas.of(
                "<message from='juliet@capulet.example/balcony' to='first@rooms.example.org'"
                    + " id='1'/>")));
    assertThat(done).containsExactly("error 1 no service");
  }

  @Test
  void theDomainOfAWithdrawnServiceIsFree() {
    assertThatThrownBy(() -> router.serve(new Addresses()))
        .isInstanceOf(IllegalStateException.class);
    homes.withdraw();
    at(router.serve(new Addresses()), "again");
    workers.runAll();
    assertThat(done).containsExactly("load first", "again");
  }

  private void at(ServiceHomes<Jid> served, String what) {
    served.submit(FIRST, false, home -> done.add(what));
  }

  @Test
  void whileAServiceComesAndGoesEveryStanzaIsHandledOrAnswered() throws Exception {
    int threads = 3;
    int each = 5_000;
    AtomicInteger handled = new AtomicInteger();
    AtomicInteger answered = new AtomicInteger();
    try (RunningRouter running = new RunningRouter(limits -> limits);
        var executor = Executors.newFixedThreadPool(threads)) {
      running
          .router
          .routes()
          .add(Jid.of("capulet.example"), envelope -> answered.incrementAndGet());
      List<Future<?>> senders = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        String to = "room" + t + "@rooms.example.org";
        Envelope envelope =
            Envelope.of(
                TestStanzas.of("<message from='juliet@capulet.example/balcony' to='" + to + "'/>"));
        senders.add(
            executor.submit(() -> {
              for (int i = 0; i < each; i++) {
                running.router.routes().route(envelope);
              }
            }));
      }
      while (!senders.stream().allMatch(Future::isDone)) {
        ServiceHomes<Jid> served = running.router.serve(new Counting(handled));
        running.router.sweep();
        served.withdraw();
      }
      for (Future<?> sender : senders) {
        sender.get();
      }
      running.awaitIdle();
    }
    assertThat(handled.get() + answered.get()).isEqualTo(threads * each);
  }

  /// Counts the stanzas that it handles.
  private record Counting(AtomicInteger handled) implements DomainService<Jid> {
    @Override
    public Jid domain() {
      return Jid.of("rooms.example.org");
    }

    @Override
    public String title() {
      return "Counting";
    }

    @Override
    public Jid load(Jid address) {
      return address;
    }

    @Override
    public boolean canUnload(Jid home) {
      return true;
    }

    @Override
    public boolean mayBlock(Jid home, Stanza stanza) {
      return false;
    }

    @Override
    public void accept(Jid home, Envelope envelope) {
      handled.incrementAndGet();
    }

    @Override
    public void acceptForDomain(Stanza stanza) {}
  }
}
