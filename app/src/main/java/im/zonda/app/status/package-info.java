/// The status of a running server, for `zonda status`.
@NullMarked
package im.zonda.app.status;

import org.jspecify.annotations.NullMarked;
