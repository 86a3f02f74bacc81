/// `zonda top`: what the running server does, live in the terminal.
@NullMarked
package im.zonda.app.top;

import org.jspecify.annotations.NullMarked;
