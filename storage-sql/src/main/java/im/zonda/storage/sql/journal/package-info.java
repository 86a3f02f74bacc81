/// Stores of the journal and of traces.
@NullMarked
package im.zonda.storage.sql.journal;

import org.jspecify.annotations.NullMarked;
