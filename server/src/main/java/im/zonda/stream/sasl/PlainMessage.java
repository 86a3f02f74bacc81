package im.zonda.stream.sasl;

/// The one message of the mechanism PLAIN (RFC 4616).
///
/// @param authzid the authorization identity; empty for the user's own
/// @param name the user name
/// @param password the password
record PlainMessage(String authzid, String name, String password) {
  /// Reads `[authzid] NUL name NUL password`.
  ///
  /// @throws SaslFailure `malformed-request` if it is not that
  static PlainMessage parse(byte[] bytes) throws SaslFailure {
    int first = indexOfNul(bytes, 0);
    int second = first < 0 ? -1 : indexOfNul(bytes, first + 1);
    if (second < 0) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "not three parts");
    }
    PlainMessage message =
        new PlainMessage(
            SaslText.decode(bytes, 0, first),
            SaslText.decode(bytes, first + 1, second),
            SaslText.decode(bytes, second + 1, bytes.length));
    if (message.name.isEmpty() || message.password.isEmpty()) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "empty name or password");
    }
    return message;
  }

  private static int indexOfNul(byte[] bytes, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public String toString() {
    return "PLAIN message of " + name;
  }
}
