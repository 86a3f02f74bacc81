/// Tests of alarms.
@NullMarked
package im.zonda.app.alarm;

import org.jspecify.annotations.NullMarked;
