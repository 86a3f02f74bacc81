/// Recordings of what the running server spends its time on (JDK Flight Recorder), and their
/// summaries.
@NullMarked
package im.zonda.app.recording;

import org.jspecify.annotations.NullMarked;
