/// Latency, processor time and memory, of the server and of the load generator.
@NullMarked
package im.zonda.bench.measure;

import org.jspecify.annotations.NullMarked;
