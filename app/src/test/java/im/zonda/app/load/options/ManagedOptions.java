package im.zonda.app.load.options;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;

/// Options of loads with stream management.
///
/// @param load what [im.zonda.app.load.chat.ChatLoad] takes, too
/// @param managed whether clients enable stream management
/// @param resumable whether their sessions can be resumed
/// @param ask a client asks for the server's count with every `ask`-th message; 0 for never
/// @param sessions sessions that wait; the accounts are `s0`, `s1`…
/// @param first the number of the first of these accounts, if it is not 0
/// @param concurrency how many clients connect at once; 0 for all
/// @param rest seconds to let the server become idle between steps
/// @param heap whether to trigger a garbage collection in the server to measure its live heap
public record ManagedOptions(
    LoadOptions load,
    boolean managed,
    boolean resumable,
    int ask,
    int sessions,
    int first,
    int concurrency,
    int rest,
    boolean heap) {

  public static final String USAGE =
      """
      and:     --sm on|off --resumable on|off (off; chat) --ask N (a request with every N-th message; 1)
               --sessions 1000 --concurrency 0 --first 0 (online)
               --rest 3 (seconds between steps)
               --heap on|off (ask a Java server for its live heap, which makes it collect)
      the accounts s0 s1 … (online) must exist and have the password
      """;

  /// The same options with those of another load.
  public ManagedOptions withLoad(LoadOptions other) {
    return new ManagedOptions(
        other, managed, resumable, ask, sessions, first, concurrency, rest, heap);
  }

  /// Reads `--name value` pairs; those that are not its own go to [LoadOptions].
  ///
  /// @throws IllegalArgumentException if one is unknown or not a number
  public static ManagedOptions parse(List<String> args) {
    OptionPairs own =
        new OptionPairs(
            args,
            Map.ofEntries(
                entry("sm", "on"),
                entry("resumable", "off"),
                entry("ask", "1"),
                entry("sessions", "1000"),
                entry("first", "0"),
                entry("concurrency", "0"),
                entry("rest", "3"),
                entry("heap", "on")));
    try {
      return new ManagedOptions(
          LoadOptions.parse(own.others()),
          own.isOn("sm"),
          own.isOn("resumable"),
          own.number("ask"),
          own.number("sessions"),
          own.number("first"),
          own.number("concurrency"),
          own.number("rest"),
          own.isOn("heap"));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + USAGE, e);
    }
  }
}
