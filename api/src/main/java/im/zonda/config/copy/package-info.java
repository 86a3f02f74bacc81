/// Copies of records with other values.
@NullMarked
package im.zonda.config.copy;

import org.jspecify.annotations.NullMarked;
