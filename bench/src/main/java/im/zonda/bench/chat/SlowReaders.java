package im.zonda.bench.chat;

import im.zonda.bench.client.LoadClient;
import im.zonda.bench.measure.Rate;
import im.zonda.bench.measure.ServerMemory;
import im.zonda.bench.options.ManagedOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Clients that receive messages and never read, while others chat. Measures the server's memory
/// and the latency of the others.
public final class SlowReaders implements AutoCloseable {
  private static final int RECEIVE_BUFFER = 4_096;
  private static final Duration LOOK = Duration.ofMillis(200);

  private final ManagedOptions options;
  private final Map<String, byte[]> passwords = new ConcurrentHashMap<>();
  private final List<LoadClient> readers = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong fed = new AtomicLong();
  private final PrintStream out;

  private SlowReaders(ManagedOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /// Chats without slow readers, then with them, and prints both.
  public static void run(ManagedOptions options, PrintStream out) throws IOException {
    ServerMemory memory = new ServerMemory(options.load().pid(), options.heap());
    try (SlowReaders slow = new SlowReaders(options, out);
        ManagedChat chat = ManagedChat.connect(options, slow.passwords)) {
      out.println("without: " + chat.run());
      ManagedChat.Report without = chat.run();
      out.println("without: " + without + " (the second run: this one counts)");
      long before = memory.liveHeap().map(ServerMemory.Heap::bytes).orElse(0L);
      slow.connect();
      Thread feeder = Thread.ofPlatform().name("feeder").start(slow::feed);
      Thread watch = Thread.ofPlatform().name("watch").start(() -> slow.watch(memory));
      ManagedChat.Report with = chat.run();
      long full = memory.liveHeap().map(ServerMemory.Heap::bytes).orElse(0L);
      slow.over.set(true);
      feeder.interrupt();
      join(feeder);
      join(watch);
      out.println("with:    " + with);
      out.printf(
          Locale.ROOT,
          "p99 of delivery with / without: %.2f; fed %d messages; live heap MB %.1f before, %.1f"
              + " at the end; ended by the server: %d of %d%n",
          with.delivery().millis(99) / without.delivery().millis(99),
          slow.fed.get(),
          before / 1e6,
          full / 1e6,
          slow.ended(),
          slow.readers.size());
    }
  }

  private void connect() throws IOException {
    for (int i = 0; i < options.readers(); i++) {
      LoadClient reader = LoadClient.connectNarrow(options.load(), RECEIVE_BUFFER);
      reader.authenticate("r" + i, passwords).bind("slow").send("<presence/>");
      readers.add(reader);
    }
  }

  private void feed() {
    String start = "<message type='chat' to='r";
    String end =
        "@"
            + options.load().domain()
            + "/slow'><body>"
            + "x".repeat(options.slowBytes())
            + "</body></message>";
    try (LoadClient feeder = LoadClient.connect(options.load())) {
      feeder.authenticate("r0", passwords).bind("feeder");
      feeder.listen((bytes, length) -> {});
      Rate rate = new Rate(options.slowRate());
      for (int i = 0; !over.get(); i = (i + 1) % readers.size()) {
        rate.next();
        feeder.send(start + i + end);
        fed.incrementAndGet();
      }
    } catch (IOException e) {
      out.println("the feeder's connection has ended: " + e.getMessage());
    }
  }

  private void watch(ServerMemory memory) {
    StringBuilder line = new StringBuilder("resident MiB, each second:");
    try {
      while (!over.get()) {
        line.append(' ').append(memory.residentKib() / 1_024);
        Rate.pause(1_000);
      }
    } catch (IOException e) {
      line.append(" the process has ended");
    }
    out.println(line);
  }

  private long ended() {
    return readers.stream().filter(reader -> reader.drainedToItsEnd(LOOK)).count();
  }

  private static void join(Thread thread) {
    try {
      thread.join(Duration.ofSeconds(20));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    over.set(true);
    readers.forEach(LoadClient::cut);
  }
}
