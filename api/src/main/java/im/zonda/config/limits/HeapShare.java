package im.zonda.config.limits;

/// The share of the heap that all clients together may use for one purpose, whatever the limit for
/// it is configured to be. It belongs to the configuration: server and modules take their shares
/// from this one table.
///
/// An attacker may exhaust all shares at once. They add up to at most four fifths of the heap; the
/// rest is for what is bounded by number, such as sessions, and for the garbage collector.
public enum HeapShare {
  /// Messages waiting for the message log ([Limits#logQueueBytes]).
  LOG_QUEUE(8),
  /// Stanzas that clients have not acknowledged ([Limits#allUnacknowledgedBytes]).
  UNACKNOWLEDGED(8),
  /// Output that clients have not read ([Limits#allOutboundBytes]).
  OUTBOUND(8),
  /// Rooms ([Limits#allRoomStateBytes]).
  ROOM_STATE(8),
  /// The last messages of rooms ([Limits#allRoomHistoryBytes]).
  ROOM_HISTORY(16),
  /// Large answers to requests, until they are sent.
  ANSWERS(32),
  /// Unfinished stanzas ([Limits#inboundBytes]).
  INBOUND(16),
  /// Presence ([Limits#presenceBytes]).
  PRESENCE(16),
  /// What was read from the stores ([Limits#cacheBytes]).
  CACHES(32),
  /// Stanzas for other servers ([S2sLimits#allQueueBytes]).
  REMOTE_QUEUES(32),
  /// What the nodes of a cluster keep of sessions whose streams they have.
  KEPT_SESSIONS(64);

  private final int part;

  HeapShare(int part) {
    this.part = part;
  }

  /// The configured bytes, or the share of a heap of `heap` bytes if that is less.
  public long bound(long configured, long heap) {
    return Math.min(configured, heap / part);
  }
}
