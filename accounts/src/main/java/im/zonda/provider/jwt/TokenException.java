package im.zonda.provider.jwt;

/// A token that is not accepted.
public final class TokenException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean foreign;

  private TokenException(String reason, boolean foreign) {
    super(reason, null, false, false);
    this.foreign = foreign;
  }

  /// A token of the issuer that is not right.
  ///
  /// @param reason for the log, without any part of the signature
  static TokenException wrong(String reason) {
    return new TokenException(reason, false);
  }

  /// Something that another provider may know: no token, or one of another issuer.
  static TokenException foreign(String reason) {
    return new TokenException(reason, true);
  }

  /// Why it is not accepted.
  public String reason() {
    return String.valueOf(getMessage());
  }

  /// Whether the issuer has not made it, by its own words.
  boolean isForeign() {
    return foreign;
  }
}
