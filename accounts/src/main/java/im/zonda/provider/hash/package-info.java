/// Stored passwords in the forms that other programs write them.
@NullMarked
package im.zonda.provider.hash;

import org.jspecify.annotations.NullMarked;
