package planted.jid;

/// An address.
public record Jid(String text) {
  /// Parses an address.
  public static Jid of(String address) {
    return new Jid(address);
  }
}
