/// The same load over each transport.
@NullMarked
package im.zonda.bench.scenario.transports;

import org.jspecify.annotations.NullMarked;
