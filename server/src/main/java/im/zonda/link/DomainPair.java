package im.zonda.link;

/// A domain served here and a domain of another server, between which stanzas are exchanged (RFC
/// 6120, section 4.7: the `from` and `to` of a stream between servers). What is proved for one pair
/// says nothing about another.
///
/// @param local the domain served here, prepared as in an address
/// @param remote the domain of the other server, prepared as in an address
public record DomainPair(String local, String remote) {
  @Override
  public String toString() {
    return local + " <-> " + remote;
  }
}
