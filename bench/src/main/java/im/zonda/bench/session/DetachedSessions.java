package im.zonda.bench.session;

import im.zonda.bench.client.LoadClient;
import im.zonda.bench.client.StampScanner;
import im.zonda.bench.measure.Rate;
import im.zonda.bench.measure.ServerMemory;
import im.zonda.bench.options.ManagedOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Measures the server's memory per session: online, and detached with unacknowledged messages.
public final class DetachedSessions {
  private static final long PATIENCE_MILLIS = 60_000;
  private final ManagedOptions options;
  private final ServerMemory memory;
  private final PrintStream out;

  private DetachedSessions(ManagedOptions options, PrintStream out) {
    this.options = options;
    this.memory = new ServerMemory(options.load().pid(), options.heap());
    this.out = out;
  }

  /// Runs the load and prints the memory at each step.
  public static void run(ManagedOptions options, PrintStream out) throws IOException {
    new DetachedSessions(options, out).steps();
  }

  private void steps() throws IOException {
    Map<String, byte[]> passwords = new ConcurrentHashMap<>();
    try (ManagedSessions sessions = new ManagedSessions(options, passwords)) {
      out.println("by hand: " + memory.command());
      out.println("warming: " + sessions.logIn());
      sessions.leave();
      rest();
      Optional<ServerMemory.Heap> empty = memory.liveHeap();
      tell("nobody online", empty, empty);
      out.println("login: " + sessions.logIn());
      rest();
      tell("online", memory.liveHeap(), empty);
      sessions.answerNothing();
      feed(passwords);
      awaitMessages(sessions, (long) options.sessions() * options.unacknowledged());
      rest();
      tell("online, unacknowledged", memory.liveHeap(), empty);
      sessions.cut();
      rest();
      Optional<ServerMemory.Heap> detached = memory.liveHeap();
      tell("detached", detached, empty);
      if (empty.isPresent() && detached.isPresent()) {
        out.println("bytes per detached session, by class:");
        out.println(detached.get().growth(empty.get(), options.sessions()));
      }
      out.println("resume: " + sessions.resume());
    }
  }

  private void feed(Map<String, byte[]> passwords) throws IOException {
    String end =
        "@"
            + options.load().domain()
            + "/load'><body>~"
            + "0".repeat(StampScanner.DIGITS)
            + "x".repeat(Math.max(0, options.load().bytes() - StampScanner.DIGITS - 1))
            + "</body></message>";
    try (LoadClient feeder = LoadClient.connect(options.load())) {
      feeder.authenticate("s0", passwords).bind("feeder");
      feeder.listen((bytes, length) -> {});
      Rate rate = new Rate(options.load().rate());
      for (int round = 0; round < options.unacknowledged(); round++) {
        for (int i = 0; i < options.sessions(); i++) {
          rate.next();
          feeder.send("<message type='chat' to='s" + i + end);
        }
      }
      rest();
    }
  }

  private void awaitMessages(ManagedSessions sessions, long wanted) {
    for (long waited = 0; waited < PATIENCE_MILLIS && sessions.messages() < wanted; waited += 50) {
      Rate.pause(50);
    }
    out.println("messages received: " + sessions.messages() + ", wanted: " + wanted);
  }

  private void tell(String what, Optional<ServerMemory.Heap> now, Optional<ServerMemory.Heap> empty)
      throws IOException {
    String heap =
        now.isEmpty() || empty.isEmpty()
            ? "live heap unknown"
            : String.format(
                Locale.ROOT,
                "live heap %,d bytes, %,.0f per session more than with nobody online",
                now.get().bytes(),
                (double) (now.get().bytes() - empty.get().bytes()) / options.sessions());
    out.printf(Locale.ROOT, "%s: %s; resident %,d KiB%n", what, heap, memory.residentKib());
  }

  private void rest() {
    Rate.pause(TimeUnit.SECONDS.toMillis(options.rest()));
  }
}
