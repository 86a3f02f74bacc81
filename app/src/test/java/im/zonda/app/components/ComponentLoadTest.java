package im.zonda.app.components;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.component.Components;
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

  /// What has become of messages, and of the component's stream.
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  /// How often each message has reached the component: `sender id`.
  private final Map<String, Integer> reached = new HashMap<>();

  private final List<String> back = new ArrayList<>();
  private final Map<String, List<Integer>> order = new HashMap<>();

  private sealed interface Event {
    record Reached(String sender, int id) implements Event {}

    record Returned(String sender, int id) implements Event {}

    record Ended() implements Event {}
  }

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
    for (int life = 0; !allKnown(); life++) {
      if (life % 2 == 1) {
        awaitReturned();
      }
      live();
    }
    for (Future<?> sender : senders) {
      sender.get();
    }
    assertThat(events).isEmpty();
    assertThat(back).as("comes back once").doesNotHaveDuplicates().isNotEmpty();
    assertThat(back).doesNotContainAnyElementsOf(reached.keySet());
    assertThat(reached).hasSize(SENDERS * MESSAGES - back.size());
    assertThat(reached.values()).as("arrives once").containsOnly(1);
    order.forEach((sender, ids) -> assertThat(ids).as(sender).isSorted());
  }

  private boolean allKnown() {
    return reached.size() + back.size() >= SENDERS * MESSAGES;
  }

  /// The component stays away until a stanza has been returned.
  private void awaitReturned() throws InterruptedException {
    while (!allKnown() && !(next() instanceof Event.Returned)) {
      // There is always a sender that continues.
    }
  }

  /// A life of the component: it reads some, ends its stream and reads to the end. On a busy
  /// machine the server may end the stream first: the component has not read for a while.
  private void live() throws Exception {
    try (ScriptedClient gateway = server.component(GATEWAY, SECRET)) {
      Future<?> reader = threads.submit(() -> read(gateway));
      Event event = null;
      for (int read = 0; read < OF_ONE_LIFE && !allKnown() && !(event instanceof Event.Ended); ) {
        event = next();
        if (event instanceof Event.Reached) {
          read++;
        }
      }
      if (!(event instanceof Event.Ended)) {
        gateway.send("</stream:stream>");
      }
      while (!(event instanceof Event.Ended)) {
        event = next();
      }
      reader.get();
    }
  }

  private void read(ScriptedClient gateway) {
    try {
      while (true) {
        XmlElement message = gateway.receiveFirst(ComponentLoadTest::isMessage);
        events.add(
            new Event.Reached(
                String.valueOf(message.attribute("from")),
                Integer.parseInt(String.valueOf(message.attribute("id")))));
      }
    } catch (AssertionError end) {
      events.add(new Event.Ended());
    }
  }

  private Event next() throws InterruptedException {
    Event event = events.poll(ScriptedClient.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    switch (event) {
      case Event.Reached(String sender, int id) -> {
        reached.merge(sender + " " + id, 1, Integer::sum);
        order.computeIfAbsent(sender, _ -> new ArrayList<>()).add(id);
      }
      case Event.Returned(String sender, int id) -> back.add(sender + " " + id);
      case Event.Ended() -> {}
      case null ->
          throw new AssertionError(
              "nothing is heard of " + (SENDERS * MESSAGES - reached.size() - back.size()));
    }
    return event;
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
          int id = Integer.parseInt(String.valueOf(answer.attribute("id")));
          events.add(new Event.Returned(sender, id));
        }
        answer = client.receive();
      }
      if (String.valueOf(sent).equals(answer.attribute("h"))) {
        return;
      }
    }
  }
}
