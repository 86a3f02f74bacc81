/// The launcher on machines that lack what it needs.
@NullMarked
package im.zonda.app.launcher;

import org.jspecify.annotations.NullMarked;
