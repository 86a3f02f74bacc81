/// The certificates of a running server, for administrators.
@NullMarked
package im.zonda.app.certificates;

import org.jspecify.annotations.NullMarked;
