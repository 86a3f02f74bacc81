package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.module.Envelope;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sessions under many threads: several clients come and go, resume, bind again, acknowledge and
/// send, while others send to them and time passes. What the seed does not decide the threads do.
///
/// For each client, over all its streams:
///
/// - it gets what each sender sent, once and in order, without a gap, as long as its session lives;
/// - the server never counts more than the client has sent;
/// - in the end nothing of the budget is taken and no session is left.
final class SessionStressTest {
  private static final int CLIENTS = 4;
  private static final int SENDERS = 3;
  private static final int MESSAGES = 400;

  private final RunningRouter running = new RunningRouter(limits -> limits);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean over;

  @AfterEach
  void stop() {
    threads.close();
    running.close();
  }

  /// A client with one resource, on a thread of its own. It keeps all rules of XEP-0198.
  private final class Client implements Runnable {
    private final Jid jid;
    private final SplittableRandom random;
    private @Nullable TestLink link;
    private @Nullable String id;

    /// What was read of the stream, in values; and of the session, in stanzas.
    private int read;

    private long handled;
    private long sent;

    /// The last number of each sender that has been read; forgotten with the session.
    private final Map<String, Integer> latest = new HashMap<>();

    int resumed;
    long arrived;

    Client(Jid jid, SplittableRandom random) {
      this.jid = jid;
      this.random = random;
    }

    @Override
    public void run() {
      while (!over) {
        TestLink live = link;
        if (live == null) {
          connect();
        } else {
          act(live);
        }
      }
    }

    private void act(TestLink live) {
      switch (random.nextInt(12)) {
        case 0 -> {
          read(live, random.nextBoolean());
          live.lost();
          link = null;
        }
        case 1 -> {
          if (random.nextInt(8) == 0) {
            live.ended();
            forget();
          }
        }
        case 2 -> {
          // The client has lost its connection, the server does not know.
          link = null;
        }
        case 3 -> live.active(random.nextBoolean());
        case 4, 5 -> {
          live.received(TestStanzas.of("<presence to='example.org'/>"));
          sent++;
        }
        default -> {
          read(live, true);
          live.acknowledged(handled);
        }
      }
    }

    private void forget() {
      link = null;
      id = null;
      handled = 0;
      sent = 0;
      latest.clear();
    }

    void connect() {
      RecordingStream stream = new RecordingStream();
      TestLink next = running.link(stream);
      String known = id;
      if (known != null && random.nextInt(6) != 0) {
        // Whether the client waits for the answer does not matter to the session.
        ToStream answer = next.resume(jid, known, handled).join();
        if (answer instanceof ToStream.Resumed granted) {
          assertThat(granted.handled()).isLessThanOrEqualTo(sent);
          sent = granted.handled();
          read = 0;
          link = next;
          resumed++;
          return;
        }
        assertThat(answer).isInstanceOf(ToStream.SessionNotFound.class);
      }
      forget();
      assertThat(next.bind(jid).join()).isInstanceOf(ToStream.Bound.class);
      id = next.manage();
      link = next;
      read = 0;
      // What was sent before the stream was managed is not counted, and may be lost.
      skipUncounted(stream);
    }

    private void skipUncounted(RecordingStream stream) {
      for (ToStream value : stream.values()) {
        read++;
        if (value instanceof ToStream.Enabled) {
          return;
        }
      }
    }

    /// Reads what has come, all of it or a part.
    private void read(TestLink live, boolean all) {
      List<ToStream> values = live.stream().values();
      int until = all ? values.size() : read + random.nextInt(values.size() - read + 1);
      for (; read < until; read++) {
        switch (values.get(read)) {
          case ToStream.Deliver deliver -> {
            handled++;
            assertThat(deliver.number()).as("%s", jid).isEqualTo(handled);
            arrived(TestStanzas.text(deliver.stanza()));
          }
          case ToStream.Handled(long h) -> assertThat(h).isLessThanOrEqualTo(sent);
          default -> {}
        }
      }
      if (live.stream().closedWith() != null) {
        link = null;
      }
    }

    private void arrived(String text) {
      int space = text.indexOf(' ');
      int number = Integer.parseInt(text.substring(space + 1));
      Integer before = latest.put(text.substring(0, space), number);
      if (before != null) {
        assertThat(number).as("%s to %s", text, jid).isEqualTo(before + 1);
      }
      arrived++;
    }

    /// Comes back, reads everything, and goes.
    void finish() {
      TestLink live = link;
      if (live != null) {
        live.lost();
        link = null;
      }
      connect();
      TestLink last = link;
      if (last == null) {
        throw new AssertionError("not connected");
      }
      running.awaitIdle();
      read(last, true);
      last.acknowledged(handled);
      running.awaitIdle();
      last.ended();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverTheThreadsDoNothingIsLost(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      // Two of them share an account.
      Jid jid = Jid.of("u" + i / 2 * (i % 2 + 1) + "@example.org/r" + i);
      clients.add(new Client(jid, random.split()));
    }
    // Before the first message is sent, so that there is something to lose.
    clients.forEach(Client::connect);
    List<CompletableFuture<Void>> senders = new ArrayList<>();
    for (int s = 0; s < SENDERS; s++) {
      String name = "s" + s;
      senders.add(CompletableFuture.runAsync(() -> send(name, clients), threads));
    }
    List<CompletableFuture<Void>> others = new ArrayList<>();
    clients.forEach(client -> others.add(CompletableFuture.runAsync(client, threads)));
    others.add(CompletableFuture.runAsync(this::passTime, threads));
    senders.forEach(CompletableFuture::join);
    over = true;
    others.forEach(CompletableFuture::join);
    running.awaitIdle();
    for (Client client : clients) {
      client.finish();
    }
    running.awaitIdle();
    assertThat(clients.stream().mapToLong(client -> client.arrived).sum()).isPositive();
    assertThat(clients.stream().mapToInt(client -> client.resumed).sum()).isPositive();
    // A session that was replaced or given up waits until its time is over.
    running.advance(Duration.ofMinutes(11));
    running.awaitIdle();
    assertThat(running.router.sessions().all()).isEmpty();
    assertThat(running.router.sessions().unacknowledgedBytes()).isZero();
  }

  private void send(String name, List<Client> clients) {
    for (int number = 0; number < MESSAGES; number++) {
      for (Client client : clients) {
        running.router.routes().route(Envelope.of(message(client.jid, name + " " + number)));
      }
      running.at(clients.getFirst().jid);
    }
  }

  private void passTime() {
    while (!over) {
      running.advance(Duration.ofSeconds(1));
      running.at(Jid.of("clock@example.org/none"));
    }
  }

  private static Stanza message(Jid to, String text) {
    return TestStanzas.of(
        "<message type='headline' from='romeo@example.org/orchard' to='"
            + to
            + "'><body>"
            + text
            + "</body></message>");
  }
}
