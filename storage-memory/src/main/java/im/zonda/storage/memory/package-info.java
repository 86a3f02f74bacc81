/// The stores in memory, for tests: the same promises as those on a database, without the database.
///
/// [MemoryStores] opens them on [MemoryData], which survives closing like a file does.
@NullMarked
package im.zonda.storage.memory;

import org.jspecify.annotations.NullMarked;
