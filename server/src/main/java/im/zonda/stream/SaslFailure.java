package im.zonda.stream;

/// An authentication that did not succeed; the client may try again.
final class SaslFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final SaslCondition condition;

  /// A failure of that condition; `reason` is for the log, never for the peer.
  SaslFailure(SaslCondition condition, String reason) {
    super(reason, null, false, false);
    this.condition = condition;
  }

  /// What the peer is told.
  SaslCondition condition() {
    return condition;
  }
}
