/// Sessions and the home of an account, as modules see them.
@NullMarked
package im.zonda.session;

import org.jspecify.annotations.NullMarked;
