package im.zonda.home.remote;

/// A defect that [FederationSimulation] must find.
enum PlantedFault {
  NONE,
  /// A message is acknowledged to its sender before the log has it.
  ACKNOWLEDGED_BEFORE_THE_COMMIT,
  /// The queue is not read after a restart.
  QUEUE_FORGOTTEN,
  /// What another server sends is acknowledged to it before it is stored.
  HANDLED_BEFORE_THE_COMMIT,
  /// The first two stanzas of a stream change places.
  REORDERED,
  /// What was sent and not acknowledged does not wait for another stream.
  NOT_REQUEUED,
  /// A message is delivered after its sender has been sent an error for it.
  DELIVERED_AFTER_THE_ERROR,
  /// A message that is sent again has another id.
  OTHER_ID,
  /// A resumption sends again what the other server has not counted, but for the first of it.
  RESUMED_FROM_THE_NEXT,
  /// A resumption sends again the last one that the other server has counted.
  RESUMED_FROM_THE_LAST,
  /// A resumption is answered with the count of another pair of domains.
  RESUMED_FOR_ANOTHER_PAIR,
  /// A resumption is answered before all that came in has been handled.
  RESUMED_BEFORE_IT_WAS_HANDLED
}
