package im.zonda.bench.load;

import im.zonda.bench.xmpp.ClientLoops;
import im.zonda.bench.xmpp.Endpoint;

/// The surroundings of a scenario while it runs, in one process of the generator.
public interface Load {
  /// The options, complete.
  Options options();

  /// Whether this process runs that client.
  ///
  /// @param client its number, from 0
  boolean isMine(int client);

  /// Where that client connects. Clients are spread over the addresses of the target.
  Endpoint endpoint(int client);

  /// Where that client connects by another transport, without encryption.
  ///
  /// @throws IllegalArgumentException if the target does not know, with a sentence for the user
  default Endpoint endpoint(int client, Endpoint.Transport transport) {
    throw new IllegalArgumentException("no address for " + transport + " is known");
  }

  /// The password of all accounts.
  String password();

  /// The event loops of this process.
  ClientLoops loops();

  /// Where times are recorded.
  Latencies latencies();

  /// Where events are counted.
  Counters counters();

  /// Waits until all processes have come to the beginning of a phase. The phase with the name
  /// [#MEASURE] is what the figures are about; another phase, or the return of [Scenario#run], ends
  /// it.
  ///
  /// @return when the phase begins, by [System#nanoTime], the same in all processes: shortly after
  ///   now
  long phase(String name);

  /// Waits, in a phase before [#MEASURE], until the server is warm: until the time of `--warm-up`
  /// has passed, or, with `auto`, until a latency that is recorded costs the server a steady amount
  /// of CPU. The load goes on meanwhile.
  default void awaitWarm() {}

  /// Says how far the phase is, for the person who waits.
  void progress(long done, long total, String what);

  /// The phase that is measured.
  String MEASURE = "measure";
}
