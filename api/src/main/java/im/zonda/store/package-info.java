/// The stores: ports to durable data. Calls block unless documented otherwise.
@NullMarked
package im.zonda.store;

import org.jspecify.annotations.NullMarked;
