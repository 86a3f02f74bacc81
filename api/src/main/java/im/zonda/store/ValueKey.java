package im.zonda.store;

import im.zonda.jid.Jid;

/// Where a value of a [KeyValueStore] is.
///
/// @param store the name of the store
/// @param owner an account, a room or a domain
/// @param key the key
public record ValueKey(String store, Jid owner, String key) {}
