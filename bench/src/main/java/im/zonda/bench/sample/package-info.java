/// Costs of processes: CPU time, memory, threads and pauses, as the kernel and the virtual machine
/// say.
@NullMarked
package im.zonda.bench.sample;

import org.jspecify.annotations.NullMarked;
