/// The packages that `zonda package` makes.
@NullMarked
package im.zonda.app.packaging;

import org.jspecify.annotations.NullMarked;
