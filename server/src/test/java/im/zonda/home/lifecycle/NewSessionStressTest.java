package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.module.Envelope;
import im.zonda.stanza.Stanza;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A client that logs in again and again while chat messages come to its account: what one session
/// was sent and its client did not get, the next one finds in the log, in its order. What the seed
/// does not decide the threads do.
final class NewSessionStressTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final int SENDERS = 3;
  private static final int MESSAGES = 400;

  /// Messages that may come in one step of the client. With these every client needs several
  /// sessions, however slowly its thread runs.
  private static final int STEP = 6;

  private final Semaphore mayBeSent = new Semaphore(0);
  private final RunningRouter running = new RunningRouter(limits -> limits);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean over;

  @AfterEach
  void stop() {
    threads.close();
    running.close();
  }

  /// A client that keeps no session for long.
  private final class Client {
    private final SplittableRandom random;
    private @Nullable String id;
    private int read;
    private long handled;

    /// The last number of each sender that has arrived, in whatever session.
    private final Map<String, Integer> latest = new HashMap<>();

    private final List<String> faults = new ArrayList<>();
    int sessions;

    Client(SplittableRandom random) {
      this.random = random;
    }

    void live() {
      while (!over) {
        TestLink live = connect();
        for (int left = random.nextInt(1, 60); left > 0; left--) {
          read(live, random.nextInt(4) > 0);
          if (random.nextInt(3) == 0) {
            live.acknowledged(handled);
          }
          mayBeSent.release(STEP);
          running.at(JULIET); // a while passes
        }
        leave(live);
      }
    }

    private void leave(TestLink live) {
      switch (random.nextInt(4)) {
        case 0 -> {
          live.acknowledged(handled);
          live.ended();
          id = null;
        }
        case 1 -> {} // the server does not know
        default -> live.lost();
      }
      if (random.nextInt(3) > 0) {
        id = null;
      }
    }

    TestLink connect() {
      TestLink next = running.link(new RecordingStream());
      String known = id;
      read = 0;
      if (known != null && next.resume(JULIET, known, handled).join() instanceof ToStream.Resumed) {
        return next;
      }
      assertThat(next.bind(JULIET).join()).isInstanceOf(ToStream.Bound.class);
      id = next.manage();
      handled = 0;
      sessions++;
      running.sendPresence(JULIET, next);
      return next;
    }

    private void read(TestLink live, boolean all) {
      List<ToStream> values = live.stream().values();
      int until = all ? values.size() : read + random.nextInt(values.size() - read + 1);
      for (; read < until; read++) {
        if (values.get(read) instanceof ToStream.Deliver deliver) {
          handled++;
          arrived(TestStanzas.text(deliver.stanza()));
        }
      }
    }

    private void arrived(String text) {
      int space = text.indexOf(' ');
      String sender = text.substring(0, space);
      int number = Integer.parseInt(text.substring(space + 1));
      int before = latest.getOrDefault(sender, -1);
      if (number > before + 1) {
        faults.add(text + " after " + before);
      }
      latest.put(sender, Math.max(before, number));
    }

    void finish() {
      TestLink last = connect();
      running.awaitIdle();
      read(last, true);
      last.acknowledged(handled);
      running.awaitIdle();
      read(last, true);
    }
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 24);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatOneSessionDidNotGetTheNextOneDoes(long seed) {
    Client client = new Client(new SplittableRandom(seed));
    running.createAccount(JULIET.bare());
    List<CompletableFuture<Void>> senders = new ArrayList<>();
    for (int s = 0; s < SENDERS; s++) {
      String name = "s" + s;
      senders.add(CompletableFuture.runAsync(() -> send(name), threads));
    }
    CompletableFuture<Void> living = CompletableFuture.runAsync(client::live, threads);
    senders.forEach(CompletableFuture::join);
    over = true;
    living.join();
    client.finish();
    assertThat(client.faults).isEmpty();
    assertThat(client.sessions).isGreaterThan(1);
    assertThat(client.latest.values()).containsOnly(MESSAGES - 1).hasSize(SENDERS);
  }

  private void send(String name) {
    for (int number = 0; number < MESSAGES; number++) {
      mayBeSent.acquireUninterruptibly();
      running.router.routes().route(Envelope.of(message(name + " " + number)));
      running.at(JULIET);
    }
  }

  private static Stanza message(String text) {
    return TestStanzas.of(
        "<message type='chat' from='romeo@example.org/orchard' to='juliet@example.org'><body>"
            + text
            + "</body></message>");
  }
}
