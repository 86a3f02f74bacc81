package im.zonda.stream.sasl;

/// An authentication that did not succeed; the client may try again.
public final class SaslFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final SaslCondition condition;
  private final boolean last;
  private final boolean logged;

  /// A failure of that condition; `reason` is for the log, never for the peer.
  public SaslFailure(SaslCondition condition, String reason) {
    this(condition, reason, false, false);
  }

  private SaslFailure(SaslCondition condition, String reason, boolean last, boolean logged) {
    super(reason, null, false, false);
    this.condition = condition;
    this.last = last;
    this.logged = logged;
  }

  /// An attempt that is rejected without checking the proof, because too many attempts of its
  /// address have failed. The stream ends with it.
  public static SaslFailure refused() {
    return new SaslFailure(
        SaslCondition.TEMPORARY_AUTH_FAILURE, "too many failed logins of the address", true, false);
  }

  /// A failure that was logged before its answer, or that is no failed login.
  static SaslFailure logged(SaslCondition condition, String reason) {
    return new SaslFailure(condition, reason, false, true);
  }

  /// Whether it needs no further line in the log.
  boolean isLogged() {
    return logged;
  }

  /// Whether the client may not try again on this stream.
  boolean isLast() {
    return last;
  }

  /// The condition that the peer gets.
  public SaslCondition condition() {
    return condition;
  }
}
