/// Latency, processor time and memory, of the server and of the load generator.
@NullMarked
package im.zonda.app.load.measure;

import org.jspecify.annotations.NullMarked;
