/// Ledgers of sent, acknowledged and delivered stanzas, which check the promise.
@NullMarked
package im.zonda.testkit.history;

import org.jspecify.annotations.NullMarked;
