package im.zonda.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.history.History;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The server's process is killed while clients send. What the message log had reported durable is
/// delivered after the restart: each once, in the order of each sender.
@Timeout(150)
class CrashTest {
  private static final int SENDERS = 50;
  private static final int RECEIVERS = 10;
  private static final int KILLS = 3;
  private static final int WINDOW = 25;

  private final History history = new History();
  private final AtomicLong numbers = new AtomicLong();
  private volatile CountDownLatch enough = new CountDownLatch(0);

  @Test
  void loosesNothingThatWasReportedDurable(@TempDir Path folder) throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Path errors = folder.resolve("errors");
    SplittableRandom random = new SplittableRandom(4711);
    for (int i = 0; i < KILLS; i++) {
      ServerProcess server = start(data, errors);
      enough = new CountDownLatch(random.nextInt(500, 1_500));
      List<Thread> senders = new ArrayList<>();
      for (int s = RECEIVERS; s < RECEIVERS + SENDERS; s++) {
        String name = "u" + s;
        senders.add(Thread.ofVirtual().start(() -> send(server, name)));
      }
      assertThat(enough.await(60, TimeUnit.SECONDS)).as("messages are committed").isTrue();
      server.kill();
      for (Thread sender : senders) {
        sender.join();
      }
    }

    ServerProcess server = start(data, errors);
    List<ScriptedClient> receivers = new ArrayList<>();
    for (int r = 0; r < RECEIVERS; r++) {
      receivers.add(server.login("u" + r + "@example.org/r"));
    }
    for (ScriptedClient receiver : receivers) {
      receive(receiver);
    }
    server.kill();

    History.Findings findings = history.check();
    assertThat(history.promisedCount()).isGreaterThan(KILLS * 400);
    assertThat(findings.lost()).isEmpty();
    assertThat(findings.invented()).isEmpty();
    assertThat(findings.repeated()).isEmpty();
    assertThat(findings.doubled()).isEmpty();
    assertThat(findings.reordered()).isEmpty();
    assertThat(Files.readString(errors)).doesNotContain("ERROR").doesNotContain("Exception");
  }

  private ServerProcess start(Path data, Path errors) throws Exception {
    return new ServerProcess(
        data,
        errors,
        256,
        RECEIVERS + SENDERS,
        id -> {
          history.promised(key(id));
          enough.countDown();
        });
  }

  /// Sends until the connection breaks.
  private void send(ServerProcess server, String name) {
    try (ScriptedClient client = server.login(name + "@example.org/s")) {
      for (int i = 0; ; i++) {
        // One count for all cycles: what is sent later has the larger number.
        long number = numbers.incrementAndGet();
        String to = "u" + number % RECEIVERS;
        String id = name + "-" + to + "-" + number;
        history.sent(key(id));
        client.send(
            "<message type='chat' id='"
                + id
                + "' to='"
                + to
                + "@example.org'><body>"
                + "x".repeat(200)
                + "</body></message>");
        if (i % WINDOW == WINDOW - 1) {
          client.fence("f" + i);
        }
      }
    } catch (IOException | UncheckedIOException | AssertionError e) {
      // The server was killed.
    }
  }

  private void receive(ScriptedClient client) {
    String me = client.jid().substring(0, client.jid().indexOf('@'));
    client.send("<presence/>");
    // The server may answer a ping while it reads the log: only many rounds without news are an
    // end.
    for (int quiet = 0; quiet < (history.complete(me) ? 3 : 200); quiet++) {
      client.fence("f");
      while (client.unread() > 0) {
        record(client.receive());
        quiet = 0;
      }
    }
  }

  private void record(XmlElement element) {
    if (element.localName().equals("message")) {
      XmlElement stanzaId = element.child("urn:xmpp:sid:0", "stanza-id");
      String id = stanzaId == null ? "" : String.valueOf(stanzaId.attribute("id"));
      history.delivered(key(String.valueOf(element.attribute("id"))), id);
    }
  }

  private static History.Key key(String id) {
    String[] parts = id.split("-", -1);
    return new History.Key(parts[0], parts[1], Long.parseLong(parts[2]));
  }
}
