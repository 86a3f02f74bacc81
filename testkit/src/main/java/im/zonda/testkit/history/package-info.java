/// What was sent, promised and delivered, and whether it agrees.
@NullMarked
package im.zonda.testkit.history;

import org.jspecify.annotations.NullMarked;
