package im.zonda.app.components;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Components;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A component under load that ends its stream and comes back, sometimes only after stanzas have
/// been returned. Each message reaches it once, in the order of its sender, or comes back once.
@Timeout(120)
class ComponentLoadTest {
  private static final String GATEWAY = "gateway.example.org";
  private static final String SECRET = "component secret";
  private static final int SENDERS = 4;
  private static final int MESSAGES = 1_500;
  private static final int OF_ONE_LIFE = 900;

  private final TestServer server =
      ComponentServers.start(
          new Components(List.of(), Duration.ofMillis(300), 4_000_000, 4, Map.of(GATEWAY, SECRET)));
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /// The returned stanzas: `sender id`.
  private final BlockingQueue<String> returned = new LinkedBlockingQueue<>();

  /// How often each message has reached the component: `sender id`.
  private final Map<String, Integer> reached = new HashMap<>();

  private final Map<String, List<Integer>> order = new HashMap<>();

  @AfterEach
  void stop() {
    threads.close();
    server.close();
  }

  @Test
  void everyMessageArrivesOnceOrComesBackOnce() throws Exception {
    List<Future<?>> senders = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      String sender = "user" + i + "@example.org/r";
      senders.add(threads.submit(() -> send(sender)));
    }
    List<String> back = new ArrayList<>();
    for (int life = 0; reached.size() + back.size() < SENDERS * MESSAGES; life++) {
      if (life % 2 == 1) {
        // Away until a stanza has been returned; there is always a sender that continues.
        String first = returned.poll(10, TimeUnit.SECONDS);
        if (first != null) {
          back.add(first);
        }
      }
      live(back);
      returned.drainTo(back);
    }
    for (Future<?> sender : senders) {
      sender.get();
    }
    returned.drainTo(back);
    assertThat(back).as("comes back once").doesNotHaveDuplicates().isNotEmpty();
    assertThat(back).doesNotContainAnyElementsOf(reached.keySet());
    assertThat(reached).hasSize(SENDERS * MESSAGES - back.size());
    assertThat(reached.values()).as("arrives once").containsOnly(1);
    order.forEach((sender, ids) -> assertThat(ids).as(sender).isSorted());
  }

  /// A life of the component: it reads some, ends its stream and reads to the end.
  private void live(List<String> back) {
    try (ScriptedClient gateway = server.component(GATEWAY, SECRET)) {
      for (int i = 0; i < OF_ONE_LIFE && reached.size() + back.size() < SENDERS * MESSAGES; i++) {
        add(gateway.receiveFirst(ComponentLoadTest::isMessage));
        returned.drainTo(back);
      }
      gateway.send("</stream:stream>");
      while (true) {
        add(gateway.receiveFirst(ComponentLoadTest::isMessage));
      }
    } catch (AssertionError end) {
      // Its stream has ended.
    }
  }

  private void add(XmlElement message) {
    String from = String.valueOf(message.attribute("from"));
    String id = String.valueOf(message.attribute("id"));
    reached.merge(from + " " + id, 1, Integer::sum);
    order.computeIfAbsent(from, sender -> new ArrayList<>()).add(Integer.parseInt(id));
  }

  private static boolean isMessage(XmlElement element) {
    return element.localName().equals("message");
  }

  /// Sends in batches, each after the one before has been acknowledged (XEP-0198), so after
  /// returned stanzas of that one.
  private void send(String sender) {
    try (ScriptedClient client = server.connect(sender)) {
      client.send("<enable xmlns='urn:xmpp:sm:3'/>");
      client.receiveFirst(element -> element.localName().equals("enabled"));
      for (int sent = 0; sent < MESSAGES; ) {
        for (int i = 0; i < 50; i++) {
          client.send(
              "<message type='chat' to='"
                  + GATEWAY
                  + "' id='"
                  + ++sent
                  + "'><body>b</body></message>");
        }
        awaitHandled(client, sender, sent);
      }
    }
  }

  private void awaitHandled(ScriptedClient client, String sender, int sent) {
    while (true) {
      client.send("<r xmlns='urn:xmpp:sm:3'/>");
      XmlElement answer = client.receive();
      while (!answer.localName().equals("a")) {
        if ("error".equals(answer.attribute("type"))) {
          returned.add(sender + " " + answer.attribute("id"));
        }
        answer = client.receive();
      }
      if (String.valueOf(sent).equals(answer.attribute("h"))) {
        return;
      }
    }
  }
}
