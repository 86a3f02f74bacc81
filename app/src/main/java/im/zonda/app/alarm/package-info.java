/// Alarms: what is measured is compared with thresholds, and what exceeds them is kept.
@NullMarked
package im.zonda.app.alarm;

import org.jspecify.annotations.NullMarked;
