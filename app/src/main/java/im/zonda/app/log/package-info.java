/// Logging: the layout of the lines, and an appender that never blocks the thread that logs.
@NullMarked
package im.zonda.app.log;

import org.jspecify.annotations.NullMarked;
