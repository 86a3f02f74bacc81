package im.zonda.store;

import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;
import org.jspecify.annotations.Nullable;

/// Hashes by which a stanza is recognised in the message log when it is sent again after a process
/// of the cluster has died. They are positive; 0 is no identity.
///
/// Two stanzas of a minute have the same one by chance once in about 10^9 minutes with a thousand
/// stanzas a second.
public final class StanzaIdentity {
  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private StanzaIdentity() {}

  /// The identity of a stanza that has entered the cluster.
  ///
  /// @param source the id of the session or of the member that has sent it
  /// @param number its number among all stanzas of that source
  public static long of(String source, long number) {
    return mixed(add(OFFSET, source) ^ mixed(number));
  }

  /// The identity of what a stanza has caused at one address: several entries may be caused by one
  /// stanza.
  ///
  /// @param identity of the stanza, or 0
  /// @param address to which the message is sent; the owner of the log for the sender's own copy
  /// @param message only its `id` counts: a client that sends another message with the same number
  ///   after a crash does not give it the id of the first
  public static long at(long identity, @Nullable Jid address, Stanza message) {
    if (identity == 0 || address == null) {
      return 0;
    }
    String id = message.id();
    long hash = add(mixed(identity), address.toString());
    return mixed(id == null ? hash : add(hash * PRIME, id));
  }

  private static long add(long hash, String text) {
    long result = hash;
    for (int i = 0; i < text.length(); i++) {
      result = (result ^ text.charAt(i)) * PRIME;
    }
    return result;
  }

  /// Each bit of the result depends on all bits of `value`.
  private static long mixed(long value) {
    long hash = value;
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    hash = (hash ^ (hash >>> 31)) & Long.MAX_VALUE;
    return hash == 0 ? 1 : hash;
  }
}
