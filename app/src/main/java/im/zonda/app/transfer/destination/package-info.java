/// Writes what a source passes on to the stores, so that an interrupted import can be continued.
@NullMarked
package im.zonda.app.transfer.destination;

import org.jspecify.annotations.NullMarked;
