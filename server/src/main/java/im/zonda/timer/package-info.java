/// Periodic tasks on top of a [im.zonda.module.Scheduler].
@NullMarked
package im.zonda.timer;

import org.jspecify.annotations.NullMarked;
