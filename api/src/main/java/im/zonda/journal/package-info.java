/// Why a stanza was not delivered as usual: the closed set of reasons with their texts, and the
/// ports by which they are recorded and found. Nothing here has the contents of stanzas.
@NullMarked
package im.zonda.journal;

import org.jspecify.annotations.NullMarked;
