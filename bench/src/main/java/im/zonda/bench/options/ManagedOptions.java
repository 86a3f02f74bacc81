package im.zonda.bench.options;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Options of loads with stream management.
///
/// @param load what [ChatLoad] takes, too
/// @param managed whether clients enable stream management
/// @param ask a client asks for the server's count with every `ask`-th message; 0 for never
/// @param readers slow readers; the accounts are `r0`, `r1`…
/// @param slowRate messages per second to slow readers, over all
/// @param slowBytes bytes of the body of each of them
/// @param sessions sessions that reconnect or wait; the accounts are `s0`, `s1`…
/// @param unacknowledged messages that each detached session has not acknowledged
/// @param concurrency how many clients connect at once; 0 for all
/// @param rest seconds to let the server become idle between steps
/// @param heap whether to trigger a garbage collection in the server to measure its live heap
public record ManagedOptions(
    LoadOptions load,
    boolean managed,
    int ask,
    int readers,
    int slowRate,
    int slowBytes,
    int sessions,
    int unacknowledged,
    int concurrency,
    int rest,
    boolean heap) {

  public static final String USAGE =
      """
      and:     --sm on|off --ask N (a request with every N-th message; 1)
               --readers 100 --slow-rate 2000 --slow-bytes 4000 (slow)
               --sessions 1000 --concurrency 0 (storm, detached) --unacknowledged 10 (detached)
               --rest 3 (seconds between the steps of storm and detached)
               --heap on|off (ask a Java server for its live heap, which makes it collect)
      the accounts r0 r1 … (slow) and s0 s1 … (storm, detached) must exist and have the password
      """;

  /// Reads `--name value` pairs; those that are not its own go to [LoadOptions].
  ///
  /// @throws IllegalArgumentException if one is unknown or not a number
  public static ManagedOptions parse(List<String> args) {
    Map<String, String> own =
        new HashMap<>(
            Map.of(
                "sm", "on",
                "ask", "1",
                "readers", "100",
                "slow-rate", "2000",
                "slow-bytes", "4000",
                "sessions", "1000",
                "unacknowledged", "10",
                "concurrency", "0",
                "heap", "on"));
    own.put("rest", "3");
    List<String> others = new ArrayList<>();
    for (int i = 0; i < args.size(); i += 2) {
      List<String> pair = args.subList(i, Math.min(i + 2, args.size()));
      String name = pair.getFirst().startsWith("--") ? pair.getFirst().substring(2) : "";
      if (pair.size() == 2 && own.containsKey(name)) {
        own.put(name, pair.getLast());
      } else {
        others.addAll(pair);
      }
    }
    try {
      return new ManagedOptions(
          LoadOptions.parse(others.toArray(new String[0])),
          isOn(own, "sm"),
          number(own, "ask"),
          number(own, "readers"),
          number(own, "slow-rate"),
          number(own, "slow-bytes"),
          number(own, "sessions"),
          number(own, "unacknowledged"),
          number(own, "concurrency"),
          number(own, "rest"),
          isOn(own, "heap"));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + USAGE, e);
    }
  }

  private static int number(Map<String, String> values, String name) {
    try {
      return Integer.parseUnsignedInt(String.valueOf(values.get(name)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--" + name + " is not a number\n" + LoadOptions.USAGE, e);
    }
  }

  private static boolean isOn(Map<String, String> values, String name) {
    return switch (String.valueOf(values.get(name))) {
      case "on" -> true;
      case "off" -> false;
      default ->
          throw new IllegalArgumentException(
              "--" + name + " is neither on nor off\n" + LoadOptions.USAGE);
    };
  }
}
