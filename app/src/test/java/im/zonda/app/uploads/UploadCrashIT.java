package im.zonda.app.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.browser.ProductServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The packaged server is killed (SIGKILL) while clients upload. What it answered with 201 is there
/// after the restart, whole; of the rest there is nothing, or all.
@Timeout(240)
class UploadCrashIT {
  private static final int UPLOADERS = 4;
  private static final int KILLS = 2;
  private static final int UPLOADS = 40;
  private static final int MOST_BYTES = 400_000;
  private static final String PASSWORD = "secret";

  private final AtomicLong seeds = new AtomicLong();

  /// The seed of the content at each path, and whether the server has answered 201 for it.
  private final Map<String, Long> seedOf = new ConcurrentHashMap<>();

  private final Map<String, Boolean> created = new ConcurrentHashMap<>();
  private final Queue<Integer> refused = new ConcurrentLinkedQueue<>();
  private volatile CountDownLatch enough = new CountDownLatch(0);

  @Test
  void whatWasAnswered201IsThereAfterAKill(@TempDir Path folder) throws Exception {
    StringBuilder accounts = new StringBuilder();
    for (int i = 0; i < UPLOADERS; i++) {
      accounts.append("u").append(i).append("@localhost,").append(PASSWORD).append('\n');
    }
    try (ProductServer server = ProductServer.start(folder, accounts.toString())) {
      for (int kill = 0; kill < KILLS; kill++) {
        enough = new CountDownLatch(UPLOADS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < UPLOADERS; i++) {
          String name = "u" + i;
          threads.add(Thread.ofVirtual().start(() -> upload(server, name)));
        }
        assertThat(enough.await(60, TimeUnit.SECONDS)).as("files are uploaded").isTrue();
        server.kill();
        for (Thread thread : threads) {
          thread.join();
        }
        server.restart();
      }
      check(server);
    }
    assertThat(refused).isEmpty();
    assertThat(created).hasSizeGreaterThanOrEqualTo(KILLS * UPLOADS);
  }

  /// Uploads until the server is gone.
  private void upload(ProductServer server, String name) {
    try (Uploader uploader = new Uploader(server, name, PASSWORD)) {
      while (true) {
        long seed = seeds.incrementAndGet();
        byte[] content = content(seed);
        Uploader.Slot slot = uploader.slot("file-" + seed, content.length);
        seedOf.put(slot.get(), seed);
        int status = uploader.put(slot, HttpRequest.BodyPublishers.ofByteArray(content));
        if (status == 201) {
          created.put(slot.get(), true);
          enough.countDown();
        } else {
          refused.add(status);
        }
      }
    } catch (IOException | UncheckedIOException | AssertionError e) {
      // The server was killed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void check(ProductServer server) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (Map.Entry<String, Long> each : seedOf.entrySet()) {
        HttpResponse<byte[]> answer =
            http.send(
                HttpRequest.newBuilder(URI.create(server.plain() + each.getKey())).build(),
                HttpResponse.BodyHandlers.ofByteArray());
        if (created.containsKey(each.getKey())) {
          assertThat(answer.statusCode()).as(each.getKey()).isEqualTo(200);
        }
        if (answer.statusCode() == 200) {
          assertThat(Arrays.equals(answer.body(), content(each.getValue())))
              .as(each.getKey() + " is whole")
              .isTrue();
        } else {
          assertThat(answer.statusCode()).isEqualTo(404);
        }
      }
    }
  }

  private static byte[] content(long seed) {
    Random random = new Random(seed);
    byte[] content = new byte[1 + random.nextInt(MOST_BYTES)];
    random.nextBytes(content);
    return content;
  }
}
