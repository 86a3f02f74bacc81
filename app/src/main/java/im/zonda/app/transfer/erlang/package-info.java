/// Terms of Erlang, as servers that are written in it store them. They are read, never run.
@NullMarked
package im.zonda.app.transfer.erlang;

import org.jspecify.annotations.NullMarked;
