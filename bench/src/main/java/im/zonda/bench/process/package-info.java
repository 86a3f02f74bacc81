/// Processes that the bench starts, with their folders, addresses and certificates.
@NullMarked
package im.zonda.bench.process;

import org.jspecify.annotations.NullMarked;
