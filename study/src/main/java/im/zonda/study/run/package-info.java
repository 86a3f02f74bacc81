/// Runs a cell: starts the server, checks it, and measures it under load.
@NullMarked
package im.zonda.study.run;

import org.jspecify.annotations.NullMarked;
