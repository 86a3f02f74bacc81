/// The interface between the server and its modules. A module can do nothing that is not here.
@NullMarked
package im.zonda.module;

import org.jspecify.annotations.NullMarked;
