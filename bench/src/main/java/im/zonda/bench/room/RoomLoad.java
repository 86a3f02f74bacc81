package im.zonda.bench.room;

import im.zonda.bench.options.LoadOptions;
import im.zonda.bench.report.RoomReport;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/// Loads of occupants in rooms (XEP-0045).
public final class RoomLoad {
  private static final String USAGE =
      """
      rooms chat|storm|joins, and options
      rooms report SERIES [GC-LOG [SVG]]           (of what --out has written)
      """;

  private RoomLoad() {}

  /// Runs the load that the first argument names and prints the report.
  public static void main(String[] args) throws IOException {
    try {
      run(System.out, args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  /// Runs a load and prints the report.
  ///
  /// - `chat`: rooms of different sizes in which occupants send messages at a fixed rate.
  /// - `storm`: many clients enter one room while others chat in theirs.
  /// - `joins`: the cost of entering and leaving rooms of one size.
  /// - `report`: a table and a plot of the figures of each second.
  ///
  /// @throws IOException if the server cannot be reached, or a file cannot be read or written
  /// @throws IllegalArgumentException if an argument is wrong; the message lists the options
  public static void run(PrintStream out, String... args) throws IOException {
    String kind = args.length == 0 ? "" : args[0];
    List<String> rest = List.of(args).subList(Math.min(1, args.length), args.length);
    if (kind.equals("report") && !rest.isEmpty() && rest.size() <= 3) {
      RoomReport.make(rest, out);
    } else {
      switch (kind) {
        case "chat" -> RoomChat.run(RoomOptions.parse(rest), out);
        case "storm" -> RoomStorm.run(RoomOptions.parse(rest), out);
        case "joins" -> RoomJoins.run(RoomOptions.parse(rest), out);
        default ->
            throw new IllegalArgumentException(USAGE + LoadOptions.USAGE + RoomOptions.USAGE);
      }
    }
  }
}
