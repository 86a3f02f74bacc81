package im.zonda.bench.room;

import im.zonda.bench.measure.LatencyHistogram;
import im.zonda.bench.measure.ServerMemory;
import im.zonda.bench.measure.StepCost;
import im.zonda.bench.options.LoadOptions;
import im.zonda.bench.report.RoomSeries;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Many rooms of different sizes in which occupants send messages. Measures the cost of each step,
/// and the figures of each second.
public final class RoomChat {
  private RoomChat() {}

  /// Logs in, enters and chats, and prints the cost of each step.
  public static void run(RoomOptions options, PrintStream out) throws IOException {
    int[] sizes = options.sizes();
    out.println(describe(sizes));
    LoadOptions load = options.load();
    StepCost look = new StepCost(load.pid(), out);
    try (RoomClients crowd =
        new RoomClients(options, new SocketConnector(load.address(), options.sources()))) {
      look.step("log in", options.sessions(), () -> crowd.logIn(options.sessions()));
      Optional<ServerMemory.Heap> alone = look.heap("sessions alone");
      look.step(
          "enter",
          options.sessions(),
          () -> crowd.enter(RoomClients.fill(crowd.clients(), sizes, options)));
      Optional<ServerMemory.Heap> inside = look.heap("sessions in rooms");
      look.growth("one occupant", alone, inside, options.sessions());
      RoomTraffic talk = new RoomTraffic(crowd.clients(), sizes, options);
      out.printf(Locale.ROOT, "%.2f messages a second%n", talk.rate());
      try (RoomSeries series = new RoomSeries(load.pid(), options.out())) {
        RoomTraffic.Span span = RoomTraffic.Span.after(load.warmup(), load.seconds());
        LatencyHistogram times = span.times();
        crowd.onCopy(due -> {
          times.record(due);
          series.record(due);
        });
        out.println(
            talk.talk(span, new RoomTraffic.Watch(times, times::count, look::micros), () -> false));
      }
      look.heap("after the talk");
      String trouble = crowd.trouble();
      if (trouble != null) {
        out.println(trouble);
      }
    }
  }

  /// Describes the sizes.
  public static String describe(int[] sizes) {
    int[] sorted = sizes.clone();
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT,
        "%d people in %d rooms: largest %d, median %d, smallest %d; a message reaches %.1f",
        Arrays.stream(sizes).sum(),
        sizes.length,
        sorted[sorted.length - 1],
        sorted[sorted.length / 2],
        sorted[0],
        RoomSizes.copiesPerMessage(sizes));
  }
}
