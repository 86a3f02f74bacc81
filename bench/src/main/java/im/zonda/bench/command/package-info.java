/// The command `zonda bench`.
@NullMarked
package im.zonda.bench.command;

import org.jspecify.annotations.NullMarked;
