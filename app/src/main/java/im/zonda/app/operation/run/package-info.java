/// What runs the operations of commands: a running server, or the stores of a stopped one.
@NullMarked
package im.zonda.app.operation.run;

import org.jspecify.annotations.NullMarked;
