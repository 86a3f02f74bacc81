/// External components (XEP-0114) of a whole server.
@NullMarked
package im.zonda.app.components;

import org.jspecify.annotations.NullMarked;
