package im.zonda.app.load;

import im.zonda.app.load.chat.ManagedChat;
import im.zonda.app.load.options.LoadOptions;
import im.zonda.app.load.options.ManagedOptions;
import im.zonda.app.load.session.NodeFailure;
import im.zonda.app.load.session.NodeLoss;
import im.zonda.app.load.session.OnlineSessions;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/// Loads of clients with stream management (XEP-0198).
public final class ManagedLoad {
  private ManagedLoad() {}

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
  /// - `chat`: pairs chat at a fixed rate and ask for acknowledgements.
  /// - `failure`: a node of a cluster is killed; its clients resume their sessions at others.
  /// - `loss`: a node of a cluster is killed; what its clients were sent and do not get is counted.
  /// - `online`: sessions that do nothing, for the time of the measurement.
  ///
  /// @throws IOException if the server cannot be reached
  /// @throws IllegalArgumentException if an argument is wrong; the message lists the options
  public static void run(PrintStream out, String... args) throws IOException {
    String kind = args.length == 0 ? "" : args[0];
    List<String> rest = List.of(args).subList(Math.min(1, args.length), args.length);
    switch (kind) {
      case "chat" -> {
        try (ManagedChat chat =
            ManagedChat.connect(ManagedOptions.parse(rest), new ConcurrentHashMap<>())) {
          out.println(chat.run());
        }
      }
      case "failure" -> NodeFailure.run(rest, out);
      case "loss" -> NodeLoss.run(rest, out);
      case "online" -> OnlineSessions.run(ManagedOptions.parse(rest), out);
      default ->
          throw new IllegalArgumentException(
              "chat, failure, loss or online, and options\n"
                  + LoadOptions.USAGE
                  + ManagedOptions.USAGE);
    }
  }
}
