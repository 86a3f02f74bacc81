/// What a module may use: if it is not here, a module cannot do it.
@NullMarked
package im.zonda.module;

import org.jspecify.annotations.NullMarked;
