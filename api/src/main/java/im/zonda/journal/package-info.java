/// Why a stanza was not delivered as usual: the closed set of reasons with their texts, and the
/// port by which they are recorded. Nothing here has the contents of stanzas.
@NullMarked
package im.zonda.journal;

import org.jspecify.annotations.NullMarked;
