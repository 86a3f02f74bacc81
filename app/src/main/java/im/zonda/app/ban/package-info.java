/// Networks from which administrators let no one connect.
@NullMarked
package im.zonda.app.ban;

import org.jspecify.annotations.NullMarked;
