package im.zonda.link;

/// Why stanzas of a domain pair cannot be sent to the other server at present.
///
/// @param reason what kind of failure it is
/// @param detail what was wrong and who can repair it, in words for administrators
public record ServerStreamFailure(Reason reason, String detail) {
  /// A kind of failure.
  public enum Reason {
    /// The remote domain does not exist, or the other server does not serve it.
    NO_SUCH_DOMAIN(true),
    /// Our policy does not allow the pair.
    NOT_ALLOWED(true),
    /// No connection to the other server could be made.
    UNREACHABLE(false),
    /// The connection is not encrypted as it must be.
    NO_TLS(false),
    /// The other server has not proved that it is the remote domain's.
    NOT_TRUSTED(false),
    /// The other server does not accept that we speak for the local domain.
    NOT_ACCEPTED(false),
    /// The other server did not answer in time.
    TIMEOUT(false),
    /// The other server has ended the stream, or this server has ended it to stop.
    CLOSED(false),
    /// The other server breaks the protocol.
    PROTOCOL(false),
    /// The connection broke.
    LOST(false);

    private final boolean permanent;

    Reason(boolean permanent) {
      this.permanent = permanent;
    }
  }

  /// The most characters of a detail, which may repeat what the other server has said.
  private static final int MAX_DETAIL = 500;

  /// Cuts a detail that is too long.
  public ServerStreamFailure {
    detail = detail.length() <= MAX_DETAIL ? detail : detail.substring(0, MAX_DETAIL) + "…";
  }

  /// Whether another attempt soon would fail in the same way.
  public boolean isPermanent() {
    return reason.permanent;
  }
}
