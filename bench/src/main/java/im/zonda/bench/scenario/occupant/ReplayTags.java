package im.zonda.bench.scenario.occupant;

/// Names of what is recorded.
public final class ReplayTags {
  /// From when a message to a room was due to its last receiver.
  public static final String LAST_RECEIVER = "last-receiver";

  /// From when a direct message was due to its receiver.
  public static final String DIRECT = "direct";

  /// From when an entry was due to the player's own presence from the room.
  public static final String JOIN = "join";

  /// Copies that had to arrive.
  public static final String EXPECTED = "expected";

  /// Copies that did not arrive.
  public static final String LOST = "lost";

  /// Copies that came after a later message of the same sender.
  public static final String OUT_OF_ORDER = "out-of-order";

  /// Messages that were never sent, since their sender was not in the room.
  public static final String UNSENT = "unsent";

  /// Messages that were sent later than due, since their sender's entry took long.
  public static final String POSTPONED = "postponed";

  private ReplayTags() {}
}
