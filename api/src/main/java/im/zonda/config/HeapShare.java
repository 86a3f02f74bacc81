package im.zonda.config;

/// What all clients together may use of the heap for one purpose, whatever the limit for it says.
///
/// Each bound that many share is charged to the account that uses most of it, but an attacker may
/// use all of them at once. So the shares add up to less than three quarters of the heap; the rest
/// is for what is bounded by numbers, such as sessions, and for the collector.
public enum HeapShare {
  /// Messages that wait for the message log ([Limits#logQueueBytes]).
  LOG_QUEUE(8),
  /// Stanzas that clients have not acknowledged ([Limits#allUnacknowledgedBytes]).
  UNACKNOWLEDGED(8),
  /// Output that clients have not read ([Limits#allOutboundBytes]).
  OUTBOUND(8),
  /// Rooms ([Limits#allRoomStateBytes]).
  ROOM_STATE(8),
  /// The last messages of rooms ([Limits#allRoomHistoryBytes]).
  ROOM_HISTORY(16),
  /// Large answers to requests, until they are sent to who asked.
  ANSWERS(32),
  /// Unfinished stanzas ([Limits#inboundBytes]).
  INBOUND(16),
  /// Presence ([Limits#presenceBytes]).
  PRESENCE(16);

  private final int part;

  HeapShare(int part) {
    this.part = part;
  }

  /// The bytes that are allowed in a heap of `heap` bytes: what is configured, but no more than the
  /// share.
  public long bound(long configured, long heap) {
    return Math.min(configured, heap / part);
  }
}
