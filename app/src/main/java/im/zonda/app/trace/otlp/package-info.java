/// Export of traces to a collector by OTLP over HTTP, with JSON.
@NullMarked
package im.zonda.app.trace.otlp;

import org.jspecify.annotations.NullMarked;
