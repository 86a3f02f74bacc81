package im.zonda.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.operation.Caller;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.plugin.Plugin;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Plugins come and go while messages pass: none is lost or changes its place, and nothing of the
/// plugins stays in memory.
@Timeout(600)
class PluginRoundsTest {
  private static final boolean ALL = Boolean.getBoolean("zonda.test.all");
  private static final int ROUNDS = ALL ? 50 : 4;
  private static final long MOST_GROWTH = 2 << 20;

  private static <I extends Record, R extends Record> R done(
      TestServer server, Operation<I, R> operation, I input) {
    Outcome<R> outcome = server.operations().run(Caller.owner("root"), operation, input);
    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    return ((Outcome.Done<R>) outcome).result();
  }

  private static void add(TestServer server, Class<? extends Plugin> plugin, String version) {
    String[] ports =
        plugin == Samples.Everything.class
            ? new String[] {"requests", "events", "store", "send"}
            : new String[] {"messages"};
    var _ =
        done(
            server,
            PluginOperations.ADD,
            new PluginOperations.New(SampleJar.of(plugin, ports).version(version).base64(), null));
  }

  private static void round(TestServer server, int number) {
    add(server, Samples.Filter.class, "1.0." + number);
    add(server, Samples.Everything.class, "1.0." + number);
    add(server, Samples.Filter.class, "1.1." + number);
    for (String each : List.of("filter", "everything")) {
      var _ = done(server, PluginOperations.REMOVE, new PluginOperations.Chosen(each));
    }
  }

  private static PluginOperations.Listed list(TestServer server) {
    return done(server, PluginOperations.LIST, new PluginOperations.All());
  }

  private static void awaitUnloaded(TestServer server) {
    Eventually.await(
        "no classes of plugins",
        () -> {
          System.gc();
          return list(server).inMemory().isEmpty();
        });
  }

  private static long metaspace() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(each -> each.getName().contains("Metaspace"))
        .map(MemoryPoolMXBean::getUsage)
        .mapToLong(each -> each.getUsed())
        .sum();
  }

  /// Messages from one client to another, until they end.
  private static final class Talk implements AutoCloseable {
    private final AtomicBoolean ending = new AtomicBoolean();
    private final AtomicInteger sent = new AtomicInteger();
    private final ScriptedClient from;
    private final ScriptedClient to;
    private final Thread sender;
    private final Thread receiver;
    private final List<String> wrong = new ArrayList<>();
    private final AtomicInteger received = new AtomicInteger();

    Talk(ScriptedClient from, ScriptedClient to, String address) {
      this.from = from;
      this.to = to;
      this.sender = Thread.ofPlatform().start(() -> send(address));
      this.receiver = Thread.ofPlatform().start(this::receive);
    }

    private void send(String address) {
      while (!ending.get()) {
        int number = sent.get();
        if (number - received.get() < 200) {
          from.send(
              "<message type='chat' to='%s'><body>m%d</body></message>".formatted(address, number));
          sent.incrementAndGet();
        } else {
          Thread.onSpinWait();
        }
      }
      from.send("<message type='chat' to='%s'><body>end</body></message>".formatted(address));
    }

    private void receive() {
      while (true) {
        XmlElement stanza = to.receive();
        XmlElement body = stanza.child("body");
        String text = body == null ? "" : body.text();
        if (text.equals("end")) {
          return;
        }
        if (text.equals("m" + received.get())) {
          received.incrementAndGet();
        } else if (!text.equals("welcome")) {
          wrong.add(text + " in place of m" + received.get());
          received.set(Integer.parseInt(text.substring(1)) + 1);
        }
      }
    }

    @Override
    public void close() {
      ending.set(true);
      try {
        sender.join();
        receiver.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      assertThat(wrong).isEmpty();
      assertThat(received.get()).isEqualTo(sent.get()).isPositive();
    }
  }

  private static ScriptedClient available(ScriptedClient client) {
    client.send("<presence/>");
    assertThat(client.receive().name().toString()).endsWith("presence");
    return client;
  }

  @Test
  void nothingIsLostAndNothingStays() throws IOException {
    try (TestServer server = ServerPlan.of(StandardModules::create).startOnSockets();
        PluginStart _ =
            PluginStart.over(server.server(), server.stores(), server.runtime(), server.config());
        ScriptedClient alice = server.connect("alice@example.org/a");
        ScriptedClient bob = available(server.connect("bob@example.org/b"))) {
      round(server, 0); // what the server itself loads for the first
      awaitUnloaded(server);
      long before = metaspace();
      try (Talk _ = new Talk(alice, bob, "bob@example.org")) {
        for (int i = 1; i <= ROUNDS; i++) {
          round(server, i);
        }
      }
      awaitUnloaded(server);
      assertThat(metaspace()).isLessThan(before + MOST_GROWTH);
      assertThat(list(server).plugins()).isEmpty();
    }
  }

  @Test
  void allNodesHaveThePluginsThatOneWasGiven() throws IOException {
    try (TestCluster cluster = TestCluster.start(ServerPlan.of(StandardModules::create), 3)) {
      List<TestServer> nodes = cluster.members().stream().map(cluster::server).toList();
      List<PluginStart> started = new ArrayList<>();
      for (TestServer each : nodes) {
        started.add(PluginStart.over(each.server(), each.stores(), each.runtime(), each.config()));
      }
      for (int i = 0; i < ROUNDS; i++) {
        TestServer node = nodes.get(i % nodes.size());
        add(node, Samples.Filter.class, "1.0." + i);
        awaitRunning(started, "1.0." + i);
        add(node, Samples.Filter.class, "1.1." + i);
        awaitRunning(started, "1.1." + i);
        var _ = done(node, PluginOperations.REMOVE, new PluginOperations.Chosen("filter"));
        for (PluginStart each : started) {
          Eventually.await("no plugin", () -> each.running().running().isEmpty());
        }
      }
      nodes.forEach(PluginRoundsTest::awaitUnloaded);
      started.forEach(PluginStart::close);
    }
  }

  private static void awaitRunning(List<PluginStart> nodes, String version) {
    for (PluginStart each : nodes) {
      Eventually.await(
          version,
          () ->
              each.running().running().values().stream()
                  .map(status -> Objects.requireNonNull(status.manifest()).version())
                  .toList()
                  .equals(List.of(version)));
    }
  }
}
