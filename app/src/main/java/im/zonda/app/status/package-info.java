/// What a running server does, for `zonda status`.
@NullMarked
package im.zonda.app.status;

import org.jspecify.annotations.NullMarked;
