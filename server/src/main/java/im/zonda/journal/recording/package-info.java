/// Recording of stanzas that were not delivered as usual: the latest in the memory of each node,
/// and most of them in the store.
@NullMarked
package im.zonda.journal.recording;

import org.jspecify.annotations.NullMarked;
