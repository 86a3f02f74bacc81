package im.zonda.bench.trace.synth;

import im.zonda.bench.trace.TraceEvent;

/// The numbers of a synthetic trace. Decision 0052 has the source of each.
///
/// @param players the players, each in one room
/// @param rooms the rooms, with sizes by [RoomSizes]
/// @param largest the players of the largest room
/// @param millis the length
/// @param seed makes the trace
public record Arena(int players, int rooms, int largest, long millis, long seed) {
  /// Median of the time that a player stays, in seconds.
  static final double STAY_MEDIAN = 25 * 60;

  /// Deviation of the logarithm of stays.
  static final double STAY_SIGMA = 1.0;

  /// Mean time until a player who has left returns, in seconds.
  static final double BREAK_MEAN = 60;

  /// Share of the players who speak at all.
  static final double SPEAKERS = 0.4;

  /// Deviation of the logarithm of how much a player speaks: a tenth of the speakers makes half of
  /// the messages.
  static final double WEIGHT_SIGMA = 1.2;

  /// Median of the gaps between messages of one speaker, over all messages, in seconds.
  static final double GAP_MEDIAN = 20;

  /// Deviation of the logarithm of all gaps; that of one speaker is less by the deviation of the
  /// weights.
  static final double GAP_SIGMA = 1.6;

  /// The longest gap, in seconds.
  static final double GAP_MOST = 600;

  /// Mean time between the begins of bursts of a room, in seconds.
  static final double BURST_EVERY = 120;

  /// Length of a burst, in seconds.
  static final double BURST_SECONDS = 5;

  /// How many times the usual rate a room has in a burst.
  static final double BURST_RATE = 8;

  /// Median length of a message, in bytes.
  static final double LENGTH_MEDIAN = 42;

  /// Deviation of the logarithm of lengths.
  static final double LENGTH_SIGMA = 1.06;

  /// The longest message, in bytes.
  static final int LENGTH_MOST = 500;

  /// Share of the messages that go to one player of the room.
  static final double DIRECT = 0.02;

  /// The preset: 2,600 players in 53 rooms, 427 in the largest, one hour.
  public static Arena preset(long seed) {
    return new Arena(2_600, 53, 427, 3_600_000, seed);
  }

  /// Rejects an impossible number.
  ///
  /// @throws IllegalArgumentException with a sentence that says which
  public Arena {
    if (millis < 1_000 || millis > TraceEvent.MAX_MILLIS) {
      throw new IllegalArgumentException("the length is not from 1 second to 366 days");
    }
    if (players > 1_000_000) {
      throw new IllegalArgumentException(players + " players are more than 1,000,000");
    }
  }
}
