package im.zonda.app.components;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.component.Components;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A component that ends and comes back while users send to it, over sockets and with all threads
/// of a server.
@Timeout(120)
class ComponentRestartTest {
  private static final String GATEWAY = "gateway.example.org";
  private static final String SECRET = "component secret";
  private static final int SENDERS = 4;
  private static final int MESSAGES = 2_000;

  private final TestServer server =
      ComponentServers.start(
          new Components(List.of(), Duration.ofSeconds(30), 4_000_000, 4, Map.of(GATEWAY, SECRET)));
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void stop() {
    threads.close();
    server.close();
  }

  private ScriptedClient gateway() {
    return server.component(GATEWAY, SECRET);
  }

  /// Sends messages of one user in batches while more are wanted. Returns when the server has
  /// acknowledged them (XEP-0198).
  private void send(int sender, int batch, BooleanSupplier more) {
    try (ScriptedClient client = server.connect("user" + sender + "@example.org/r")) {
      client.send("<enable xmlns='urn:xmpp:sm:3'/>");
      client.receiveFirst(element -> element.localName().equals("enabled"));
      int sent = 0;
      do {
        for (int i = 0; i < batch; i++) {
          client.send(
              "<message type='chat' to='"
                  + GATEWAY
                  + "' id='"
                  + ++sent
                  + "'><body>b</body>"
                  + "</message>");
        }
        client.awaitHandled(sent);
        client.skipUnread();
      } while (more.getAsBoolean());
    }
  }

  private List<Future<?>> startSenders(int batch, BooleanSupplier more) {
    List<Future<?>> senders = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      int sender = i;
      senders.add(threads.submit(() -> send(sender, batch, more)));
    }
    return senders;
  }

  /// What the component has received, by sender.
  private static final class Received {
    private final Map<String, List<Integer>> ids = new LinkedHashMap<>();
    private final Set<String> all = new HashSet<>();
    private final List<String> twice = new ArrayList<>();

    void add(XmlElement message) {
      String from = String.valueOf(message.attribute("from"));
      int id = Integer.parseInt(String.valueOf(message.attribute("id")));
      if (all.add(from + " " + id)) {
        ids.computeIfAbsent(from, sender -> new ArrayList<>()).add(id);
      } else {
        twice.add(from + " " + id);
      }
    }

    int size() {
      return all.size();
    }
  }

  private static boolean isMessage(XmlElement element) {
    return element.localName().equals("message");
  }

  /// A component that closes its stream and reads to its end gets everything once, in the order of
  /// each user.
  @Test
  void nothingIsLostWhenTheComponentRestartsInOrder() throws Exception {
    List<Future<?>> senders = startSenders(MESSAGES, () -> false);
    Received received = new Received();
    ScriptedClient gateway = gateway();
    while (received.size() < SENDERS * MESSAGES) {
      received.add(gateway.receiveFirst(ComponentRestartTest::isMessage));
      if (received.size() % 1_500 == 0) {
        gateway.send("</stream:stream>");
        readToTheEnd(gateway, received);
        gateway = gateway();
      }
    }
    gateway.close();
    assertThat(received.twice).isEmpty();
    for (List<Integer> ids : received.ids.values()) {
      assertThat(ids).isSorted().hasSize(MESSAGES);
    }
    finish(senders);
  }

  private static void readToTheEnd(ScriptedClient gateway, Received received) {
    while (true) {
      try {
        received.add(gateway.receiveFirst(ComponentRestartTest::isMessage));
      } catch (AssertionError end) {
        gateway.close();
        return;
      }
    }
  }

  /// What was in the buffers of the sockets of a component that is killed is lost with it: the XEP
  /// has no acknowledgements. All else arrives, in order, and every sender gets its
  /// acknowledgement.
  @Test
  void killsOfTheComponentHoldNobodyUp() throws Exception {
    AtomicBoolean more = new AtomicBoolean(true);
    List<Future<?>> senders = startSenders(50, more::get);
    Received received = new Received();
    for (int life = 0; life < 5; life++) {
      ScriptedClient killed = gateway();
      received.add(killed.receiveFirst(ComponentRestartTest::isMessage));
      killed.drop();
    }
    more.set(false);
    ScriptedClient survivor = gateway();
    Future<?> reading = threads.submit(() -> readToTheEnd(survivor, received));
    finish(senders);
    survivor.drop();
    reading.get();
    for (List<Integer> ids : received.ids.values()) {
      assertThat(ids).isSorted();
    }
    try (ScriptedClient gateway = gateway();
        ScriptedClient last = server.connect("last@example.org/r")) {
      last.send("<message to='" + GATEWAY + "' id='1'><body>last</body></message>");
      assertThat(gateway.receiveFirst(message -> message.childText("body").equals("last")))
          .isNotNull();
    }
  }

  private static void finish(List<Future<?>> senders)
      throws InterruptedException, ExecutionException {
    for (Future<?> sender : senders) {
      sender.get();
    }
  }
}
