/// What peers send is written again in few bytes, and read again.
@NullMarked
package im.zonda.app.rewriting;

import org.jspecify.annotations.NullMarked;
