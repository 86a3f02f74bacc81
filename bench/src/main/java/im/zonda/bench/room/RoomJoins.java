package im.zonda.bench.room;

import im.zonda.bench.measure.Rate;
import im.zonda.bench.measure.StepCost;
import im.zonda.bench.options.LoadOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Measures the cost of entering and leaving a room: on average while rooms fill up, and in full
/// rooms.
final class RoomJoins {
  /// Time for work that the server still does after the last client has entered.
  private static final long REST_MILLIS = 300;

  private RoomJoins() {}

  /// Fills rooms of one size, then lets clients enter and leave, and prints the cost of each.
  static void run(RoomOptions options, PrintStream out) throws IOException {
    int[] sizes = options.sizes();
    out.println(RoomChat.describe(sizes));
    LoadOptions load = options.load();
    StepCost look = new StepCost(load.pid(), out);
    try (RoomClients crowd =
        new RoomClients(options, new SocketConnector(load.address(), options.sources()))) {
      int guests = options.joiners() * options.rooms();
      List<RoomClient> people = crowd.logIn(options.sessions());
      List<RoomClient> coming = crowd.logIn(guests);
      look.step(
          "fill the rooms",
          options.sessions(),
          () -> crowd.enter(RoomClients.fill(people, sizes, options)));
      List<RoomClients.Way> ways = new ArrayList<>();
      for (int i = 0; i < guests; i++) {
        ways.add(new RoomClients.Way(coming.get(i), options.room(i % options.rooms())));
      }
      double entering = 0;
      double leaving = 0;
      // The first round warms the server up and does not count.
      for (int round = 0; round <= options.rounds(); round++) {
        long start = look.micros();
        crowd.enter(ways);
        Rate.pause(REST_MILLIS);
        long entered = look.micros();
        crowd.leave(coming);
        Rate.pause(REST_MILLIS);
        if (round > 0) {
          entering += entered - start;
          leaving += look.micros() - entered;
        }
      }
      double times = (double) guests * options.rounds();
      out.printf(
          Locale.ROOT,
          "full rooms of %d to %d: %.0f times, entering %s ms and leaving %s ms server CPU each%n",
          sizes[sizes.length - 1],
          sizes[0] + options.joiners(),
          times,
          load.pid() == 0 ? "unknown" : String.format(Locale.ROOT, "%.3f", entering / 1e3 / times),
          load.pid() == 0 ? "unknown" : String.format(Locale.ROOT, "%.3f", leaving / 1e3 / times));
      String trouble = crowd.trouble();
      if (trouble != null) {
        out.println(trouble);
      }
    }
  }
}
