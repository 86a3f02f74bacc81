/// Sessions and homes, as modules see them.
@NullMarked
package im.zonda.session;

import org.jspecify.annotations.NullMarked;
