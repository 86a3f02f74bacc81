/// Runs the operations of commands: in a running server, or on the stores of a stopped one.
@NullMarked
package im.zonda.app.operation.run;

import org.jspecify.annotations.NullMarked;
