/// The archive: the archived entries of the message log, their index and their removal.
///
/// The index is filled behind the log, in sorted slices ([ArchiveIndex]); queries ([ArchiveQuery])
/// read what is indexed and what is not yet.
@NullMarked
package im.zonda.storage.sql.archive;

import org.jspecify.annotations.NullMarked;
