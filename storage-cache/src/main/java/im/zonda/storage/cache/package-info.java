/// Caches in front of the stores, keyed by bare address ([im.zonda.storage.cache.CachedStores]).
///
/// An entry is what the database has: a write drops the owner's entries before it begins and puts
/// the new value only after it has succeeded, if nothing else has written meanwhile
/// ([im.zonda.storage.cache.WriteStamps]). All writes of this process pass here. In a cluster the
/// entries of an account are valid only while this node is its home:
/// [im.zonda.storage.cache.CacheRegistry#drop] removes them when it no longer is.
@NullMarked
package im.zonda.storage.cache;

import org.jspecify.annotations.NullMarked;
