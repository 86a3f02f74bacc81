package im.zonda.app.components;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.component.Components;
import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.StreamEvent;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Components that do not read, components that flood, and several connections of one domain, over
/// sockets and with all threads of a server.
@Timeout(120)
class ComponentFlowTest {
  private static final String GATEWAY = "gateway.example.org";
  private static final String FLOODER = "flooder.example.org";
  private static final String SECRET = "component secret";

  /// More than the buffers of sockets hold, together with what may wait.
  private static final int FLOOD = 1_000;

  private static final String LARGE = "x".repeat(20_000);

  private final TestServer server =
      ComponentServers.start(
          new Components(
              List.of(), Duration.ofSeconds(2), 400_000, 4, Map.of("*.example.org", SECRET)));
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void stop() {
    server.close(); // first: a thread that sends may wait for it
    threads.close();
  }

  /// An inbox whose reader stops reading the connection while a few elements wait.
  private static final class NarrowInbox implements Inbox {
    private final BlockingQueue<StreamEvent> events = new ArrayBlockingQueue<>(4);

    @Override
    public void put(StreamEvent event) {
      try {
        events.put(event);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public @Nullable StreamEvent take(Duration patience) throws InterruptedException {
      return events.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /// A component that reads only what the test takes.
  private ScriptedClient idleGateway() {
    return new ScriptedClient(server.connectedComponent().wire(), new NarrowInbox())
        .openAsComponent(GATEWAY, SECRET);
  }

  private static String message(String attributes, int id, String body) {
    return "<message type='chat' id='"
        + id
        + "' "
        + attributes
        + "><body>"
        + body
        + "</body></message>";
  }

  /// Sends the flood, which blocks while the server does not read; returns whether the server has
  /// taken it all.
  private static boolean flood(ScriptedClient from, String attributes) {
    for (int id = 1; id <= FLOOD; id++) {
      from.send(message(attributes, id, LARGE));
    }
    return true;
  }

  /// Two users chat until the sender of the flood has got the first error back.
  private String chatUntilErrorOf(ScriptedClient sender) throws Exception {
    Future<XmlElement> error =
        threads.submit(() -> sender.receiveFirst(ComponentFlowTest::isError));
    try (ScriptedClient juliet = server.connect("juliet@example.org/balcony");
        ScriptedClient nurse = server.connect("nurse@example.org/chamber")) {
      int said = 0;
      do {
        said++;
        juliet.send(message("to='" + nurse.jid() + "'", said, "talk"));
        assertThat(nurse.receive().attribute("id")).isEqualTo(String.valueOf(said));
      } while (!error.isDone());
    }
    return String.valueOf(error.get().attribute("id"));
  }

  private static boolean isError(XmlElement element) {
    return "error".equals(element.attribute("type"));
  }

  private static boolean isMessage(XmlElement element) {
    return element.localName().equals("message");
  }

  /// What the component reads to the end of its stream.
  private static Set<String> readToTheEnd(ScriptedClient gateway) {
    Set<String> ids = new HashSet<>();
    StreamEvent event = gateway.next(ScriptedClient.PATIENCE);
    while (!(event instanceof StreamEvent.Gone)) {
      if (event instanceof StreamEvent.Received(XmlElement element) && isMessage(element)) {
        ids.add(String.valueOf(element.attribute("id")));
      }
      event = gateway.next(ScriptedClient.PATIENCE);
    }
    return ids;
  }

  /// All that was sent has reached the component or come back, and came back once.
  private static void check(ScriptedClient sender, String firstError, Set<String> reached) {
    List<String> back = new ArrayList<>(List.of(firstError));
    Set<String> settled = new HashSet<>(reached);
    settled.addAll(back);
    while (settled.size() < FLOOD) {
      String id = String.valueOf(sender.receiveFirst(ComponentFlowTest::isError).attribute("id"));
      back.add(id);
      settled.add(id);
    }
    assertThat(back).doesNotHaveDuplicates();
    assertThat(reached).isNotEmpty();
  }

  @Test
  void aComponentThatDoesNotReadHoldsUpOnlyThoseWhoSendToIt() throws Exception {
    ScriptedClient gateway = idleGateway();
    ScriptedClient romeo = server.connect("romeo@example.org/orchard");
    Future<Boolean> flood = threads.submit(() -> flood(romeo, "to='" + GATEWAY + "'"));
    String first = chatUntilErrorOf(romeo);
    Set<String> reached = readToTheEnd(gateway);
    assertThat(flood.get()).isTrue();
    check(romeo, first, reached);
  }

  @Test
  void aComponentThatFloodsIsReadMoreSlowlyAndNoOneElse() throws Exception {
    ScriptedClient gateway = idleGateway();
    ScriptedClient flooder = server.component(FLOODER, SECRET);
    Future<Boolean> flood =
        threads.submit(() -> flood(flooder, "from='" + FLOODER + "' to='" + GATEWAY + "'"));
    String first = chatUntilErrorOf(flooder);
    Set<String> reached = readToTheEnd(gateway);
    assertThat(flood.get()).isTrue();
    check(flooder, first, reached);
  }

  // ---- several connections

  @Test
  void connectionsShareUsersAndKeepTheOrderOfEach() throws Exception {
    int users = 12;
    int messages = 200;
    List<ScriptedClient> gateways =
        List.of(server.component(GATEWAY, SECRET), server.component(GATEWAY, SECRET));
    List<Future<?>> senders = new ArrayList<>();
    for (int i = 0; i < users; i++) {
      String bare = "user" + i + "@example.org";
      senders.add(threads.submit(() -> send(bare, messages)));
    }
    Map<String, Set<Integer>> connections = new ConcurrentHashMap<>();
    CountDownLatch unread = new CountDownLatch(users * messages);
    List<Future<?>> readers = new ArrayList<>();
    for (int i = 0; i < gateways.size(); i++) {
      int number = i;
      readers.add(
          threads.submit(() ->
              read(
                  gateways.get(number),
                  bare -> {
                    connections
                        .computeIfAbsent(bare, user -> ConcurrentHashMap.newKeySet())
                        .add(number);
                    unread.countDown();
                  })));
    }
    for (Future<?> sender : senders) {
      sender.get();
    }
    assertThat(unread.await(60, TimeUnit.SECONDS)).isTrue();
    for (ScriptedClient gateway : gateways) {
      gateway.send("</stream:stream>");
    }
    for (Future<?> reader : readers) {
      reader.get();
    }
    assertThat(connections).hasSize(users);
    assertThat(connections.values()).allMatch(used -> used.size() == 1);
    assertThat(connections.values().stream().distinct()).hasSize(2);
  }

  /// Half of the messages from each of two resources, which have one order, because the second is
  /// used after the first.
  private void send(String bare, int messages) {
    int id = 0;
    for (String resource : List.of("one", "two")) {
      try (ScriptedClient user = server.connect(bare + "/" + resource)) {
        for (int i = 0; i < messages / 2; i++) {
          user.send(message("to='" + GATEWAY + "'", ++id, "b"));
        }
        user.fence("f");
      }
    }
  }

  /// Reads to the end, and reports the bare address of the sender of each message.
  private static void read(ScriptedClient gateway, Consumer<String> seen) {
    Map<String, Integer> last = new HashMap<>();
    StreamEvent event = gateway.next(ScriptedClient.PATIENCE);
    while (!(event instanceof StreamEvent.Gone)) {
      if (event instanceof StreamEvent.Received(XmlElement element) && isMessage(element)) {
        String from = String.valueOf(element.attribute("from"));
        String bare = from.substring(0, from.indexOf('/'));
        int id = Integer.parseInt(String.valueOf(element.attribute("id")));
        assertThat(id).isEqualTo(last.getOrDefault(bare, 0) + 1);
        last.put(bare, id);
        seen.accept(bare);
      }
      event = gateway.next(ScriptedClient.PATIENCE);
    }
  }
}
