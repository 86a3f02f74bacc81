/// Greets who logs in.
@NullMarked
package im.zonda.plugins.motd;

import org.jspecify.annotations.NullMarked;
