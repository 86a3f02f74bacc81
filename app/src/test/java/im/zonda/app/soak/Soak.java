package im.zonda.app.soak;

import im.zonda.app.StandardModules;
import im.zonda.app.attack.LeakWatch;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/// Many hours of ordinary life against one server: people come, chat, add contacts, send to those
/// who are away, and go in every possible way. Prints what the server holds after each round.
final class Soak implements AutoCloseable {
  private static final int PEOPLE = 24;
  private static final int WORKERS = 6;

  private final TestServer server;
  private final LongAdder done = new LongAdder();

  Soak() throws IOException {
    server = ServerPlan.of(StandardModules::create).startOnSockets();
    List<String> everyone = new ArrayList<>();
    for (int i = 0; i < PEOPLE; i++) {
      everyone.add(address(i));
    }
    server.accounts(everyone);
  }

  /// Runs for the minutes given, 60 if none are. Fails if a buffer leaks, or if the heap after the
  /// last minute is more than 16 MB over that after the first.
  public static void main(String[] args) throws Exception {
    long minutes = args.length == 0 ? 60 : Long.parseLong(args[0]);
    try (LeakWatch leaks = LeakWatch.open();
        Soak soak = new Soak()) {
      System.out.println("start: " + Vitals.measure());
      long first = Long.MAX_VALUE;
      long last = 0;
      for (long round = 1; round <= minutes; round++) {
        soak.live(Duration.ofMinutes(1), round);
        Vitals vitals = Vitals.measure();
        System.out.println("minute " + round + ": " + vitals + ", " + soak.done.sum() + " steps");
        first = round == 1 ? vitals.heap() : first;
        last = vitals.heap();
      }
      leaks.assertNone(() -> soak.live(Duration.ofMillis(200), 0));
      if (last - first > 16_000_000) {
        throw new AssertionError("the heap grew from " + first + " to " + last + " bytes");
      }
    }
  }

  /// The steps done so far.
  long steps() {
    return done.sum();
  }

  /// Lets people live for that long; afterwards nobody is connected.
  void live(Duration time, long seed) {
    long end = System.nanoTime() + time.toNanos();
    List<Future<?>> lives = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int worker = 0; worker < WORKERS; worker++) {
        SplittableRandom random = new SplittableRandom(seed * 1_000 + worker);
        // Each worker plays its own people, so that no two log in as the same.
        int first = worker * (PEOPLE / WORKERS);
        lives.add(executor.submit(() -> live(end, first, random)));
      }
      for (Future<?> life : lives) {
        life.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("a life ended badly: " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private void live(long end, int first, SplittableRandom random) {
    while (System.nanoTime() < end) {
      int person = first + random.nextInt(PEOPLE / WORKERS);
      ScriptedClient client = login(person, random);
      client.send("<presence/>");
      for (int step = random.nextInt(5, 40); step > 0 && System.nanoTime() < end; step--) {
        step(client, step, random);
        done.increment();
      }
      leave(client, random);
    }
  }

  private ScriptedClient login(int person, SplittableRandom random) {
    Login.Security security =
        random.nextBoolean() ? Login.Security.STARTTLS : Login.Security.DIRECT_TLS;
    return server.login(
        Login.of(address(person) + "/soak", TestServer.PASSWORD).withSecurity(security));
  }

  private static void step(ScriptedClient client, int number, SplittableRandom random) {
    String to = address(random.nextInt(PEOPLE));
    switch (random.nextInt(8)) {
      case 0 -> client.send("<presence><status>" + number + "</status></presence>");
      case 1 -> client.send("<presence type='subscribe' to='" + to + "'/>");
      case 2 -> client.send("<presence type='subscribed' to='" + to + "'/>");
      case 3 -> client.send("<presence type='unsubscribe' to='" + to + "'/>");
      case 4 ->
          client.send(
              "<iq type='set' id='s'><query xmlns='jabber:iq:roster'><item jid='"
                  + to
                  + "' name='"
                  + number
                  + "'/></query></iq>");
      case 5 ->
          client.send("<iq type='get' id='v' to='" + to + "'><vCard xmlns='vcard-temp'/></iq>");
      default ->
          client.send(
              "<message type='chat' to='"
                  + to
                  + "'><body>"
                  + "x".repeat(random.nextInt(1, 2_000))
                  + "</body></message>");
    }
    client.fence("f" + number);
    while (client.unread() > 0) {
      client.receive();
    }
  }

  private static void leave(ScriptedClient client, SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> client.drop();
      case 1 -> client.close();
      case 2 -> {
        client.send("<presence type='unavailable'/>");
        client.disconnect();
      }
      default -> client.disconnect();
    }
  }

  private static String address(int person) {
    return "p" + person + "@example.org";
  }

  @Override
  public void close() {
    server.close();
  }
}
