/// The operations of the server as a whole, and what runs all operations.
@NullMarked
package im.zonda.app.operation;

import org.jspecify.annotations.NullMarked;
