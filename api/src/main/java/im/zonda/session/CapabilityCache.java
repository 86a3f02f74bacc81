package im.zonda.session;

import im.zonda.jid.Jid;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The features of clients by the hashes in their presence (XEP-0115). A port: all hosts of a
/// server share it. What it has was verified; it may forget anything. Any thread may call; nothing
/// blocks.
public interface CapabilityCache {
  /// A hash of features.
  ///
  /// @param algorithm the name of the hash function, such as `sha-1`
  /// @param hash the hash in Base64
  record Key(String algorithm, String hash) {}

  /// The features behind a hash; null if they are not known.
  @Nullable Set<String> find(Key key);

  /// Adds features that have that hash.
  ///
  /// @param source the bare address of the user whose client has sent them. If a user adds many,
  ///   the user's own are forgotten first
  void add(Key key, Set<String> features, Jid source);
}
