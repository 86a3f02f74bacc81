/// The machine and the process for `zonda doctor`: limits, memory, clock, disk, Java runtime.
@NullMarked
package im.zonda.app.doctor.machine;

import org.jspecify.annotations.NullMarked;
