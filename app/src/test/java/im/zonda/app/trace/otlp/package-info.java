/// Tests of the export of traces.
@NullMarked
package im.zonda.app.trace.otlp;

import org.jspecify.annotations.NullMarked;
