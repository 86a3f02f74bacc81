package im.zonda.app.load.pubsub;

import static java.util.Map.entry;

import im.zonda.app.load.client.LoadClient;
import im.zonda.app.load.client.StanzaCutter;
import im.zonda.app.load.measure.LatencyHistogram;
import im.zonda.app.load.measure.StepCost;
import im.zonda.app.load.options.LoadOptions;
import im.zonda.app.load.options.OptionPairs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Pages of the items of nodes (XEP-0060, section 6.5.4), one after another, each of another node
/// of a service that has many. The nodes `load0`, `load1`… and the account `a0` must exist.
public final class PageLoad {
  private static final String USAGE =
      """
      and:     --service pubsub.example.org --nodes 20000 --page 20 --requests 2000
      """;

  private static final int PATIENCE_SECONDS = 60;
  private static final long SEED = 14;

  private PageLoad() {}

  /// Runs the load and prints the report.
  public static void main(String[] args) throws IOException, InterruptedException {
    try {
      run(System.out, args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + USAGE);
      System.exit(2);
    }
  }

  /// Runs the load and prints the report, twice: the second part finds the server warm.
  ///
  /// @throws IOException if the server cannot be reached or a page does not come
  /// @throws IllegalArgumentException if an argument is wrong; the message lists the options
  public static void run(PrintStream out, String... args) throws IOException, InterruptedException {
    OptionPairs own =
        new OptionPairs(
            List.of(args),
            Map.ofEntries(
                entry("service", ""),
                entry("nodes", "20000"),
                entry("page", "20"),
                entry("requests", "2000")));
    LoadOptions load = LoadOptions.parse(own.others());
    String given = own.text("service");
    String service = given.isEmpty() ? "pubsub." + load.domain() : given;
    RandomGenerator random = RandomGeneratorFactory.getDefault().create(SEED);
    StepCost cost = new StepCost(load.pid(), out);
    int requests = own.number("requests");
    try (LoadClient client = LoadClient.connect(load)) {
      client.authenticate("a0", new ConcurrentHashMap<>()).bind("load");
      BlockingQueue<String> answers = answers(client);
      for (String which : List.of("first pages", "more pages")) {
        LatencyHistogram times = new LatencyHistogram(Long.MIN_VALUE, Long.MAX_VALUE);
        cost.step(
            which,
            requests,
            () -> {
              for (int i = 0; i < requests; i++) {
                long start = System.nanoTime();
                client.send(request(service, random.nextInt(own.number("nodes")), own));
                check(take(answers), own.number("page"));
                times.record(start);
              }
            });
        out.println(which + ": " + times);
      }
    }
  }

  private static BlockingQueue<String> answers(LoadClient client) throws IOException {
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    StanzaCutter cutter =
        new StanzaCutter(
            new StanzaCutter.Listener() {
              @Override
              public void element(byte[] bytes, int from, int to) {
                answers.add(new String(bytes, from, to - from, StandardCharsets.UTF_8));
              }

              @Override
              public void end() {}
            });
    client.listen((bytes, length) -> cutter.take(bytes, 0, length));
    return answers;
  }

  private static String request(String service, int node, OptionPairs own) {
    return "<iq type='get' id='p' to='"
        + service
        + "'><pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='load"
        + node
        + "'/><set xmlns='http://jabber.org/protocol/rsm'><max>"
        + own.number("page")
        + "</max></set></pubsub></iq>";
  }

  private static String take(BlockingQueue<String> answers) throws IOException {
    try {
      String answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (answer == null) {
        throw new IOException("no page in " + PATIENCE_SECONDS + " s");
      }
      return answer;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void check(String answer, int page) throws IOException {
    int items = answer.split("<item ", -1).length - 1;
    if (items != page) {
      throw new IOException(items + " items instead of " + page + ": " + answer);
    }
  }
}
