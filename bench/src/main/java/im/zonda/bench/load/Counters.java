package im.zonda.bench.load;

/// Counts events, also by second. Any thread may call.
public interface Counters {
  /// Messages that were given to sockets.
  String SENT = "sent";

  /// Messages that arrived.
  String RECEIVED = "received";

  /// Messages that arrived twice.
  String DOUBLED = "doubled";

  /// Whatever the server refused or did wrong.
  String ERRORS = "errors";

  /// Adds to a counter.
  void add(String name, long count);

  /// Notes a problem for people, such as a stanza of type `error`; only the first ones are kept.
  void problem(String sentence);
}
