/// Starts JMeter for the study.
@NullMarked
package im.zonda.study.jmeter;

import org.jspecify.annotations.NullMarked;
