/// The authorities that providers trust.
@NullMarked
package im.zonda.provider.trust;

import org.jspecify.annotations.NullMarked;
